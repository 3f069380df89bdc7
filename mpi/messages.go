package mpi

import (
	"context"
	"errors"
	"iter"
	"unsafe"
)

// Messages returns the messages that receives with this source and tag would
// take, one after the other, for a loop that takes each as it comes:
//
//	for m, err := range world.Messages(ctx, mpi.AnySource, mpi.AnyTag) {
//		if err != nil {
//			return err
//		}
//		words, err := mpi.MrecvSlice[int](m)
//		…
//	}
//
// It is Mprobe for each round of the loop (MPI 4.1, section 3.8.2): the Message
// must be received with Mrecv or one of its kind, in the loop or by another
// goroutine, and Message.Status says what it is. Nothing is taken ahead, so that
// a break loses no message, and several goroutines may have such loops at once.
//
// The loop ends, without an error, when ctx ends, which takes the place of the
// context of the view; no message is lost then either. Any other error of Mprobe,
// such as ErrProcFailed when a rank that may be the source is gone, is the last
// thing that the loop gets. There are no messages from ProcNull.
func (c *Comm) Messages(ctx context.Context, source, tag int) iter.Seq2[*Message, error] {
	return func(yield func(*Message, error) bool) {
		view := c.WithContext(ctx)
		ended := func() bool { return ctx != nil && ctx.Err() != nil }
		for source != ProcNull && !ended() {
			m, _, err := view.Mprobe(source, tag)
			if ended() && errors.Is(err, ErrCancelled) {
				return
			}
			if !yield(m, named("mpi.Messages", err)) || err != nil {
				return
			}
		}
	}
}

// MrecvSlice is Mrecv into a slice that it allocates, of the length that
// Message.Status says, with the errors of Mrecv except ErrTruncate.
func MrecvSlice[T any](m *Message) ([]T, error) {
	var buf []T
	// If the elements are of another size Mrecv says so.
	if s := m.Status(); s.Bytes == s.Count*int(unsafe.Sizeof(*new(T))) {
		buf = make([]T, s.Count)
	}
	if _, err := Mrecv(m, buf); err != nil {
		return nil, named("mpi.MrecvSlice", err)
	}
	return buf, nil
}

// MrecvValue is Mrecv of a message of one element, with the errors of
// RecvValue.
func MrecvValue[T any](m *Message) (T, error) {
	v := emptyCell[T]()
	defer v.free()
	status, err := Mrecv(m, v.out())
	if err == nil {
		err = single(status)
	}
	return v.result(1, "mpi.MrecvValue", err)
}

// MrecvObject is Mrecv of an object that SendObject has sent, with the errors
// and the codec of RecvObject.
func MrecvObject[T any](m *Message, codec ...Codec) (T, error) {
	const op = "mpi.MrecvObject"
	var none T
	by, err := codecOf(op, codec)
	if err != nil {
		return none, err
	}
	message, err := MrecvSlice[object](m)
	if err != nil || m.Status().Source == ProcNull {
		return none, named(op, err)
	}
	return decode[T](op, by, message, sender(m.Status()))
}
