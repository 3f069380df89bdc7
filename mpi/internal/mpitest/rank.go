package mpitest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// Run is what each rank of the job does. Its error names the operation that went wrong.
func (p *Program) Run(world *mpi.Comm) error {
	for i, r := range p.rounds {
		if err := r.run(world); err != nil {
			return fmt.Errorf("round %d: %w", i, err)
		}
	}
	return nil
}

func (r *round) run(world *mpi.Comm) error {
	var comms []*mpi.Comm
	errs := make(chan error, len(r.lanes))
	for i := range r.lanes {
		l, c, err := &r.lanes[i], (*mpi.Comm)(nil), error(nil)
		if l.splits {
			c, err = world.Split(l.colors[world.Rank()], l.keys[world.Rank()])
		} else {
			c, err = world.Dup()
		}
		if err != nil {
			return err
		}
		side, err := c.Dup()
		if err != nil {
			return err
		}
		comms = append(comms, c, side)
		x := &rank{comm: c, side: side, part: &l.parts[l.colors[world.Rank()]]}
		go func() {
			if err := x.run(); err != nil {
				errs <- fmt.Errorf("lane %d, its rank %d of %d: %w", i, c.Rank(), c.Size(), err)
				return
			}
			errs <- nil
		}()
	}
	for range r.lanes {
		if err := <-errs; err != nil {
			return err // the other goroutines fail with the job
		}
	}
	for _, c := range comms {
		if r.free {
			if err := c.Free(); err != nil {
				return err
			}
		}
	}
	return nil
}

// rank runs one rank's part of a lane. Messages on side are received by source and tag only.
type rank struct {
	comm, side *mpi.Comm
	part       *part
	open       map[*step]*operation
	received   []*operation // in the order in which they were posted
	tasks      map[task][]func() error
	tokens     []*mpi.Request
	life       int // the step before which the rank dies, counted from 1; 0 if it does not
}

// operation is an operation that has been started, and its outcome.
type operation struct {
	*step
	request *mpi.Request
	buf     []byte
	status  mpi.Status
}

func (x *rank) run() error {
	switch p := x.part; {
	case p.receivers != nil:
		return p.receivers.run(x.comm)
	case p.repeats != nil:
		return p.repeats.run(x.comm)
	case p.window != nil:
		return runTask(x.comm, p.window)
	case p.scripts == nil:
		return runCollectives(x.comm, p.collectives)
	}
	x.open, x.tasks = map[*step]*operation{}, map[task][]func() error{}
	script := x.part.scripts[x.comm.Rank()]
	for i, s := range script {
		if i+1 == x.life {
			return ErrKilled
		}
		if err := x.step(s); err != nil {
			return fmt.Errorf("step %d of its script, %v: %w", i, s, err)
		}
	}
	if err := x.completeAtEnd(script); err != nil {
		return err
	}
	return x.verify()
}

func (x *rank) step(s *step) (err error) {
	switch s.verb {
	case doSend:
		return x.send(s)
	case doReceive:
		return x.receive(s)
	case doComplete:
		o := x.open[s.of]
		delete(x.open, s.of)
		status, err := completeBy(s.way, o.request)
		if err != nil {
			return err
		}
		return x.completed(o, status)
	case postUnsent:
		r, err := mpi.Irecv(x.comm, make([]byte, 8), s.source, s.tag)
		x.open[s] = &operation{step: s, request: r}
		return err
	case dropUnsent:
		return cancelled(x.open[s.of].request)
	case sendDropped:
		return x.sendDropped(s)
	case postDropped:
		return x.postDropped(s)
	case doneDropped:
		return x.doneDropped(x.open[s.of])
	case doStage:
		return x.stage(s)
	default:
		for range s.way {
			runtime.Gosched()
		}
		if s.way%2 == 0 {
			time.Sleep(time.Duration(s.way) * 10 * time.Microsecond) // a program computes now and then
		}
		return nil
	}
}

func (x *rank) send(s *step) error {
	m := s.message
	if m.ready {
		if _, err := mpi.Recv(x.side, []byte{}, m.dest, m.id); err != nil {
			return err
		}
	}
	b := m.body()
	r, err := sendBy(x.comm, s.way, b, m.dest, m.tag)
	if err != nil {
		return err
	}
	o := &operation{step: s, request: r, buf: b}
	if r != nil {
		x.open[s] = o
		return nil
	}
	return x.completed(o, mpi.Status{})
}

func (x *rank) receive(s *step) error {
	o := &operation{step: s}
	var err error
	if o.buf, o.request, o.status, err = receiveBy(x.comm, s.way, make([]byte, s.capacity), s.source, s.tag); err != nil {
		return err
	}
	x.received = append(x.received, o)
	if s.message != nil && s.message.ready {
		token, err := mpi.Isend(x.side, []byte{}, s.message.source, s.message.id)
		if err != nil {
			return err
		}
		x.tokens = append(x.tokens, token)
	}
	if o.request != nil {
		x.open[s] = o
		return nil
	}
	return x.completed(o, o.status)
}

// completed checks the outcome of an operation. It overwrites the buffer of a send, which may be
// used again.
func (x *rank) completed(o *operation, status mpi.Status) error {
	if status.Cancelled {
		return errors.New("cancelled")
	}
	o.status = status
	if o.verb == doSend {
		for i := range o.buf {
			o.buf[i] = 0xdb
		}
	} else if o.message != nil { // after a wrong match others would wait in vain
		return o.is(o.message)
	}
	return nil
}

// is fails unless a receive has got m.
func (o *operation) is(m *message) error {
	if want := (mpi.Status{Source: m.source, Tag: m.tag, Count: m.size, Bytes: m.size}); o.status != want {
		return fmt.Errorf("%v: the status is %+v and should be %+v", o.step, o.status, want)
	}
	if !bytes.Equal(o.buf[:m.size], m.body()) || bytes.ContainsFunc(o.buf[m.size:], func(r rune) bool { return r != 0 }) {
		return fmt.Errorf("%v: these are not the bytes of message %d", o.step, m.id)
	}
	return nil
}

// completeAtEnd completes all that is left.
func (x *rank) completeAtEnd(script []*step) error {
	var left []*operation
	for _, s := range script {
		if o := x.open[s]; o != nil && s.atEnd {
			left = append(left, o)
		}
	}
	var reqs []*mpi.Request
	for _, o := range left {
		reqs = append(reqs, o.request)
	}
	statuses, err := completeAllBy(len(script), reqs)
	if err != nil {
		return fmt.Errorf("way %d to complete %d requests: %w", len(script)%ways, len(reqs), err)
	}
	for i, o := range left {
		if err := x.completed(o, statuses[i]); err != nil {
			return err
		}
	}
	_, err = mpi.WaitAll(context.Background(), x.tokens...)
	return err
}

// verify compares what has been received with what has been sent.
func (x *rank) verify() error {
	var left []*message // to this rank, in order
	for _, script := range x.part.scripts {
		for _, s := range script {
			if s.verb == doSend && s.message.dest == x.comm.Rank() {
				left = append(left, s.message)
			}
		}
	}
	for _, o := range x.received {
		i := slices.IndexFunc(left, func(m *message) bool {
			return m.source == o.status.Source && (m.tag == o.status.Tag || o.tag == mpi.AnyTag)
		})
		if o.message != nil {
			i = slices.Index(left, o.message)
		}
		if i < 0 {
			return fmt.Errorf("%v has got a message that was never sent: %+v", o.step, o.status)
		}
		m := left[i]
		left = slices.Delete(left, i, i+1)
		if err := o.is(m); err != nil {
			return err
		}
	}
	if len(left) > 0 {
		return fmt.Errorf("%d messages have not been received, the first from %d with tag %d", len(left), left[0].source, left[0].tag)
	}
	return nil
}
