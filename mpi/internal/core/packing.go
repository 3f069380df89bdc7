package core

import (
	"slices"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Packing by the program (MPI 4.1, section 5.2): what is packed is the bytes of a message, or their form in external32.

// AppendPacked appends the message of the elements to dst. Its length is Len.
func (b Buffer) AppendPacked(op string, dst []byte) ([]byte, error) {
	if err := b.wrong(op); err != nil {
		return dst, err
	}
	n := b.Len()
	dst = slices.Grow(dst, n)
	at := dst[len(dst) : len(dst)+n]
	if piece, ok := b.Piece(); ok {
		copy(at, piece)
	} else {
		b.Pack(at, 0)
	}
	return dst[:len(dst)+n], nil
}

// TakePacked copies the message that src begins with to the elements, and returns what follows it.
func (b Buffer) TakePacked(op string, src []byte) ([]byte, error) {
	if err := b.wrong(op); err != nil {
		return src, err
	}
	n := b.Len()
	if n > len(src) {
		return src, mpierr.Invalid(op, rpi.ErrTruncate, "%s of %s take %s, and there are %d",
			mpierr.Plural(b.Count, "element"), b.Type.Name(), mpierr.Plural(n, "byte"), len(src))
	}
	if piece, ok := b.Piece(); ok {
		copy(piece, src)
	} else {
		b.Unpack(0, src[:n])
	}
	return src[n:], nil
}

// ExternalLen is how many bytes the elements take in external32.
func (b Buffer) ExternalLen(op string) (int, error) {
	if err := b.wrong(op); err != nil {
		return 0, err
	}
	n, err := b.Type.ExternalSize(int64(b.Count))
	if err != nil {
		return 0, Wrong(op, err)
	}
	return int(n), nil
}

// AppendExternal is AppendPacked in external32. Its length is ExternalLen.
func (b Buffer) AppendExternal(op string, dst []byte) ([]byte, error) {
	n, err := b.ExternalLen(op)
	if err != nil {
		return dst, err
	}
	dst = slices.Grow(dst, n)
	if _, err := b.Type.PackExternal(dst[len(dst):len(dst)+n], b.Addr, int64(b.Count)); err != nil {
		return dst, Wrong(op, err)
	}
	return dst[:len(dst)+n], nil
}

// TakeExternal is TakePacked of external32.
func (b Buffer) TakeExternal(op string, src []byte) ([]byte, error) {
	if err := b.wrong(op); err != nil {
		return src, err
	}
	n, err := b.Type.UnpackExternal(b.Addr, int64(b.Count), src)
	if err != nil {
		return src, Wrong(op, err)
	}
	return src[n:], nil
}
