package mpitest

import (
	"errors"
	"fmt"
	"slices"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// exposure is one rank's part in a window.
type exposure struct {
	*window
	comm     *mpi.Comm
	win      *mpi.Win[int64]
	models   [][]int64 // what the memory of each rank should be
	readings []reading // of the epoch
}

// pieces is how many stages the operations of an epoch are divided into.
const pieces = 3

// stages is how many stages a window has: it is made and freed, and epochs begin, have operations, and end.
func (p *window) stages() int { return 2 + len(p.epochs)*(2+pieces) }

func (p *window) begin(c *mpi.Comm) []func() error {
	x := &exposure{window: p, comm: c}
	all := []func() error{x.allocate}
	for i := range p.epochs {
		e := &p.epochs[i]
		all = append(all, x.named(e, func() error { return x.open(e) }))
		for piece := range pieces {
			n := len(e.segments)
			all = append(all, x.named(e, func() error { return x.operate(e, e.segments[n*piece/pieces:n*(piece+1)/pieces]) }))
		}
		all = append(all, x.named(e, func() error { return x.shut(e) }))
	}
	return append(all, func() error { return x.win.Free() })
}

// named is a stage whose errors say in which epoch it is.
func (x *exposure) named(e *epoch, stage func() error) func() error {
	return func() error {
		if err := stage(); err != nil {
			return fmt.Errorf("epoch of kind %d: %w", e.kind, err)
		}
		return nil
	}
}

func (x *exposure) allocate() (err error) {
	if x.win, err = mpi.WinAllocate[int64](x.comm, x.length); err != nil {
		return err
	}
	x.models = make([][]int64, x.comm.Size())
	for target := range x.models {
		x.models[target] = numbers(100*target, x.length)
	}
	copy(x.win.Memory(), x.models[x.comm.Rank()])
	return nil
}

// open begins an epoch with all ranks, unless each operation has its own.
func (x *exposure) open(e *epoch) error {
	if err := errors.Join(x.win.Sync(), x.comm.Barrier()); err != nil { // no rank reads its memory any more
		return err
	}
	switch e.kind {
	case fences:
		return x.win.Fence(mpi.NoPrecede)
	case lockAll:
		return x.win.LockAll()
	case groups:
		return errors.Join(x.win.Post(x.comm.Group()), x.win.Start(x.comm.Group()))
	}
	return nil
}

// operate begins this rank's operations on some segments.
func (x *exposure) operate(e *epoch, segments []segment) error {
	for i := range segments {
		s := &segments[i]
		if e.kind == locks {
			if err := x.win.Lock([]mpi.LockType{mpi.LockShared, mpi.LockExclusive}[s.seed%2], s.target); err != nil {
				return err
			}
		}
		more, err := s.begin(x.win, x.comm, x.models[s.target][s.first:s.first+s.length])
		if err == nil && e.kind == locks {
			err = x.win.Unlock(s.target)
		}
		if err != nil {
			return fmt.Errorf("%+v: %w", *s, err)
		}
		x.readings = append(x.readings, more...)
	}
	if e.kind == lockAll && len(segments) > 0 {
		return x.flush(segments[0].seed)
	}
	return nil
}

// flush completes the operations so far, in one of the ways, or leaves them to the end of the epoch.
func (x *exposure) flush(way int64) error {
	each := func(flush func(target int) error) (err error) {
		for target := range x.models {
			err = errors.Join(err, flush(target))
		}
		return err
	}
	var err error
	switch way % 5 {
	case 0:
		return nil
	case 1:
		err = x.win.FlushAll()
	case 2:
		err = x.win.FlushLocalAll()
	case 3:
		err = each(x.win.Flush)
	default:
		err = each(x.win.FlushLocal)
	}
	return errors.Join(err, x.read())
}

// read compares what has been read with what should be.
func (x *exposure) read() error {
	for _, r := range x.readings {
		if !r.right() {
			return fmt.Errorf("wrong elements were read from %+v", r.segment)
		}
	}
	x.readings = nil
	return nil
}

// shut ends an epoch, and looks at this rank's memory.
func (x *exposure) shut(e *epoch) (err error) {
	switch e.kind {
	case fences:
		err = x.win.Fence(mpi.NoSucceed)
	case lockAll:
		err = x.win.UnlockAll()
	case groups:
		err = errors.Join(x.win.Complete(), x.win.Wait())
	}
	if err == nil {
		err = errors.Join(x.comm.Barrier(), x.win.Sync()) // all ranks have ended the epoch
	}
	if err == nil {
		err = x.read()
	}
	if err != nil {
		return err
	}
	for _, s := range e.segments {
		model := x.models[s.target]
		s.apply(model, x.comm.Size())
		if part := model[s.first : s.first+s.length]; s.target == x.comm.Rank() &&
			!slices.Equal(part, x.win.Memory()[s.first:s.first+s.length]) {
			return fmt.Errorf("wrong elements at the end in %+v", s)
		}
	}
	return nil
}
