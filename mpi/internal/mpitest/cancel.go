package mpitest

import (
	"bytes"
	"context"
	"fmt"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// sendDropped sends a message for which a receive is or will be posted, cancels the send, and tells
// the receiver whether that was in time.
func (x *rank) sendDropped(s *step) error {
	m := s.message
	r, err := sendBy(x.side, []int{beginSend, beginSyncSend}[s.way], m.body(), m.dest, droppedTag+2*m.id)
	if err != nil {
		return err
	}
	if err := r.Cancel(); err != nil {
		return err
	}
	status, err := r.Wait(context.Background())
	if err != nil {
		return err
	}
	token, err := mpi.Isend(x.side, []bool{status.Cancelled}, m.dest, droppedTag+2*m.id+1)
	x.tokens = append(x.tokens, token)
	return err
}

func (x *rank) postDropped(s *step) (err error) {
	m := s.message
	o := &operation{step: s, buf: make([]byte, m.size)}
	o.request, err = mpi.Irecv(x.side, o.buf, m.source, droppedTag+2*m.id)
	x.open[s] = o
	return err
}

// cancelled cancels a receive of what is not sent.
func cancelled(r *mpi.Request) error {
	if err := r.Cancel(); err != nil {
		return err
	}
	if status, err := r.Wait(context.Background()); err != nil || !status.Cancelled {
		return fmt.Errorf("a receive of a message that is never sent: status %+v, error %w", status, err)
	}
	return nil
}

// doneDropped learns whether a message was cancelled, and compares that with its receive.
func (x *rank) doneDropped(o *operation) error {
	m, dropped := o.message, make([]bool, 1)
	if _, err := mpi.Recv(x.side, dropped, m.source, droppedTag+2*m.id+1); err != nil {
		return err
	}
	if dropped[0] {
		return cancelled(o.request)
	}
	status, err := o.request.Wait(context.Background())
	if err == nil && (status.Cancelled || status.Bytes != m.size || !bytes.Equal(o.buf, m.body())) {
		return fmt.Errorf("a message that could not be cancelled any more: status %+v", status)
	}
	return err
}
