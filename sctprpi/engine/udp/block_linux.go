package udp

import (
	"time"

	"golang.org/x/sys/unix"

	"github.com/sctpmpi/sctpmpi/internal/thread"
)

// block is wait for somebody who is in a hurry: it keeps the caller's thread, at first.
func (n *native) block(deadline time.Time) error {
	if thread.Take() {
		over, err := n.keepThread(deadline)
		thread.Give()
		if over || err != nil {
			return err
		}
	}
	return n.wait(deadline)
}

// keepThread waits for a while and reports whether the wait is over.
func (n *native) keepThread(deadline time.Time) (over bool, err error) {
	n.blocking.Lock() // close waits for it
	defer n.blocking.Unlock()
	w := &n.waiter
	if !w.state.CompareAndSwap(idle, polling) {
		w.state.Store(idle)
		return true, n.alive()
	}
	// A wake may come when nothing is looked at any more.
	defer func() { over = w.state.Swap(idle) == woken || over }()
	if err := n.alive(); err != nil || n.reader.kept.Load() {
		return true, err
	}
	limit := thread.Longest
	if !deadline.IsZero() {
		limit = time.Until(deadline)
	}
	w.polled = [2]unix.PollFd{{Fd: int32(n.fd), Events: unix.POLLIN}, {Fd: int32(w.eventfd), Events: unix.POLLIN}}
	n.counters.waitCalls.Add(1)
	ready, interrupted := thread.Wait(&w.polled, limit)
	if interrupted {
		return true, n.alive()
	}
	if w.polled[0].Revents&unix.POLLERR != 0 {
		n.reader.errors.Store(true)
	}
	if w.polled[1].Revents != 0 {
		n.use.RLock()
		if !n.closed {
			var count [8]byte
			_, _ = unix.Read(w.eventfd, count[:])
		}
		n.use.RUnlock()
	}
	return ready, n.alive()
}

// unblock ends block, for a socket that is closed, and waits until it has ended.
func (n *native) unblock() {
	_, _ = unix.Write(n.waiter.eventfd, one)
	n.blocking.Lock()
	defer n.blocking.Unlock()
}
