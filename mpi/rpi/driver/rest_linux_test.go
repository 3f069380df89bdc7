package driver

import (
	"context"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/driver/internal/spin"
)

// waits has a goroutine wait, again and again, until stop, which returns how often it was woken.
func (p *pipe) waits(keepThread bool) (stop func() int) {
	var over atomic.Bool
	count := make(chan int)
	go func() {
		n := 0
		for ; !over.Load(); n++ {
			if err := p.Wait(context.Background(), true, keepThread); err != nil {
				p.t.Error(err)
			}
		}
		count <- n
	}()
	return func() int {
		over.Store(true)
		p.Wake()
		return <-count
	}
}

// borrow borrows the network of a goroutine that waits.
func (p *pipe) borrow() {
	for !p.Borrow() {
		runtime.Gosched()
	}
}

// ready reports whether a thread that begins to wait now would have to return for the descriptor.
func (p *pipe) ready() bool {
	g := p.place.(*gate)
	g.mu.Lock()
	defer g.mu.Unlock()
	g.setQuiet()
	n, err := unix.Poll([]unix.PollFd{{Fd: int32(g.level), Events: unix.POLLIN}}, 0)
	return n > 0 || err != nil
}

// eachBorrowed runs a test for the ways in which a goroutine waits.
func eachBorrowed(t *testing.T, test func(t *testing.T, p *pipe, keepThread bool)) {
	t.Run("in Go's network poller", func(t *testing.T) { test(t, withDescriptor(t), false) })
	t.Run("on its thread for a while", func(t *testing.T) { test(t, withDescriptor(t), true) })
	t.Run("on its own thread", func(t *testing.T) {
		p := withDescriptor(t)
		p.threads = true
		test(t, p, true)
	})
}

func TestWhatABorrowerTakesEndsNoWait(t *testing.T) {
	eachBorrowed(t, func(t *testing.T, p *pipe, keepThread bool) {
		stop := p.waits(keepThread)
		for range 100 {
			p.borrow()
			require.False(t, p.Borrow(), "one borrower at a time")
			p.arrive()
			if keepThread {
				require.False(t, p.ready())
			}
			require.True(t, p.take())
			p.Return()
		}
		if n := stop(); !keepThread { // a thread may return early
			require.Equal(t, 1, n)
		}
	})
}

func TestWhatABorrowerLeavesEndsTheWait(t *testing.T) {
	eachBorrowed(t, func(t *testing.T, p *pipe, keepThread bool) {
		var over atomic.Bool
		taken := make(chan bool)
		go func() {
			for !over.Load() {
				_ = p.Wait(context.Background(), true, keepThread)
				if p.take() {
					taken <- true
				}
			}
			close(taken)
		}()
		for i := range 100 {
			p.borrow()
			if i%2 == 0 {
				p.Wake() // the next wait begins while the network is borrowed
			}
			p.arrive()
			p.Return()
			require.True(t, <-taken)
		}
		over.Store(true)
		p.Wake()
		require.False(t, <-taken)
	})
}

// isWaiting reports whether a goroutine waits.
func (r *rest) isWaiting() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.waits
}

// What the network does while it is borrowed may bring an earlier deadline: a retransmission of what the borrower has sent.
func TestAnEarlierDeadlineAfterABorrowEndsTheWait(t *testing.T) {
	eachBorrowed(t, func(t *testing.T, p *pipe, keepThread bool) {
		p.deadline = time.Now().Add(time.Hour)
		done := make(chan error)
		go func() { done <- p.Wait(context.Background(), true, keepThread) }()
		p.borrow()
		p.deadline = time.Now().Add(time.Minute)
		p.Return()
		require.NoError(t, <-done)
	})
}

// Only a goroutine that waits for messages lends the network, and none that has gone.
func TestNothingIsBorrowedOfNoWait(t *testing.T) {
	p := withDescriptor(t)
	require.False(t, p.Borrow())
	done := make(chan error)
	go func() { done <- p.Wait(context.Background(), false, false) }()
	for !p.rest.isWaiting() {
		runtime.Gosched()
	}
	require.False(t, p.Borrow())
	p.Wake()
	require.NoError(t, <-done)

	go func() { done <- p.Wait(context.Background(), true, false) }()
	p.borrow()
	p.Close()
	require.ErrorIs(t, <-done, rpi.ErrClosed)
	p.Return()
	require.False(t, p.Borrow())
}

// A goroutine that begins to wait while the driver rests takes its message in itself, and gives the rest back.
func TestAWaitBesideADriverLooksItself(t *testing.T) {
	for _, threads := range []bool{false, true} {
		f, d := drive(t, rpi.Config{Progress: rpi.Inline, Spin: never, Threads: threads})
		served, w := rpi.NewWaiter(), rpi.NewWaiter()
		done := make(chan error)
		go func() { done <- d.Await(t.Context(), served) }()
		f.untilRests()
		d.looking.Lock()
		d.spins = spin.New(rpi.Config{Spin: forEver}, d.epoch)
		d.looking.Unlock()
		for range 100 {
			go f.change(func() { f.arrived = append(f.arrived, w.Signal) }) // which wakes no goroutine
			require.NoError(t, d.Await(t.Context(), w))
			f.untilRests()
		}
		// The driver is there for what comes later.
		f.send(served.Signal)
		require.NoError(t, <-done)
	}
}
