package mpi

import "unsafe"

// combine is an Op on views of its vectors.
type combine func(left, right []byte)

// combining returns op as a function of views; nil if op is nil.
func combining[T any](op Op[T]) combine {
	if op == nil {
		return nil
	}
	return func(left, right []byte) { op(cast[T](left), cast[T](right)) }
}

// cast returns b, which is aligned for T, as a []T.
func cast[T any](b []byte) []T {
	var zero T
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(zero)))
}

// reducing checks the arguments that reductions have in common. The receive
// buffer may be the send buffer (MPI_IN_PLACE).
func (k *call) reducing(send, recv elements, f combine) *Error {
	switch {
	case f == nil:
		return invalid(k.op, ErrOp, "the operation is nil")
	case len(recv.bytes) != len(send.bytes):
		return k.lengths(send, recv)
	case overlapping(send.bytes, recv.bytes) && !same(send.bytes, recv.bytes):
		return invalid(k.op, ErrBuffer, "the send and the receive buffer overlap without being the same")
	}
	return nil
}
