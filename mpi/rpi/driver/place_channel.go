package driver

import (
	"sync"
	"time"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// channelPlace is the place of a network without a descriptor: each arrival is a wake.
type channelPlace struct {
	rung   chan struct{}
	closed chan struct{}
	once   sync.Once
}

func newChannelPlace() *channelPlace {
	return &channelPlace{rung: make(chan struct{}, 1), closed: make(chan struct{})}
}

func (b *channelPlace) begin() (over bool, err error) {
	err = b.end()
	return err != nil, err
}

func (b *channelPlace) end() error {
	select {
	case <-b.closed:
		return rpi.ErrClosed
	default:
		return nil
	}
}

func (b *channelPlace) wait(deadline time.Time, _ thread) error {
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

func (b *channelPlace) wake() {
	select {
	case b.rung <- struct{}{}:
	default:
	}
}

func (b *channelPlace) rouse() {}

func (b *channelPlace) pause()  {}
func (b *channelPlace) resume() {}

func (b *channelPlace) shut() { b.once.Do(func() { close(b.closed) }) }

func (b *channelPlace) close() {}

func (b *channelPlace) doorbell() int { return -1 }
