package driver

import (
	"sync"
	"time"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// bell is the place of a network without a descriptor: each arrival is a wake.
type bell struct {
	rung   chan struct{}
	closed chan struct{}
	once   sync.Once
}

func newBell() *bell { return &bell{rung: make(chan struct{}, 1), closed: make(chan struct{})} }

func (b *bell) begin() (over bool, err error) {
	err = b.end()
	return err != nil, err
}

func (b *bell) end() error {
	select {
	case <-b.closed:
		return rpi.ErrClosed
	default:
		return nil
	}
}

func (b *bell) wait(deadline time.Time, _ bool) error {
	var timeout <-chan time.Time
	if !deadline.IsZero() {
		timer := time.NewTimer(time.Until(deadline))
		defer timer.Stop()
		timeout = timer.C
	}
	select {
	case <-b.rung:
	case <-timeout:
	case <-b.closed:
	}
	return nil
}

func (b *bell) wake() {
	select {
	case b.rung <- struct{}{}:
	default:
	}
}

func (b *bell) rouse() {}

func (b *bell) shut() { b.once.Do(func() { close(b.closed) }) }

func (b *bell) close() {}
