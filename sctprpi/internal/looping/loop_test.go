package looping

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// core is a Core without descriptor that has a number of events.
type core struct {
	socket.Core
	mu     sync.Mutex
	events int
	rests  bool
	wake   func()
	closed bool
}

func (c *core) Descriptor() int     { return -1 }
func (c *core) Embedded() bool      { return true }
func (c *core) SetWake(wake func()) { c.wake = wake }
func (c *core) Poll() error         { return nil }
func (c *core) Resume()             { c.change(func() { c.rests = false }) }

func (c *core) Close() error {
	c.change(func() { c.closed = true })
	return nil
}

func (c *core) change(how func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	how()
}

func (c *core) Ready() (ready bool) {
	c.change(func() { ready = c.events > 0 })
	return ready
}

func (c *core) Rest(events bool) (deadline time.Time, ready bool) {
	c.change(func() {
		ready = events && c.events > 0
		c.rests = events && !ready
	})
	return deadline, ready
}

// arrive makes an event.
func (c *core) arrive() {
	c.change(func() {
		c.events++
		if c.rests {
			c.rests = false
			c.wake()
		}
	})
}

// take takes the events out, and returns how many there were.
func (c *core) take() (n int) {
	c.change(func() { n, c.events = c.events, 0 })
	return n
}

func start(t *testing.T) (*core, *Socket) {
	c := new(core)
	s, err := New(c)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return c, s
}

func TestWaitReturnsWhenThereAreEventsAndNotBefore(t *testing.T) {
	c, s := start(t)
	const events = 20_000
	go func() {
		for range events {
			c.arrive()
		}
	}()
	for taken := 0; taken < events; {
		require.NoError(t, s.Wait(t.Context()))
		n := c.take()
		require.Positive(t, n, "after %d events", taken)
		taken += n
	}
}

func TestWaitUntilLooksAgainWhenTheCoreHasChanged(t *testing.T) {
	_, s := start(t)
	var mu sync.Mutex
	holds := false
	done := make(chan error)
	go func() {
		done <- s.WaitUntil(t.Context(), func() (bool, error) {
			mu.Lock()
			defer mu.Unlock()
			return holds, nil
		})
	}()
	mu.Lock()
	holds = true
	mu.Unlock()
	s.Changed()
	require.NoError(t, <-done)
}

func TestWaitEndsWithItsContextAWakeOrTheSocket(t *testing.T) {
	c, s := start(t)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, s.Wait(ended), context.Canceled)
	for range 100 {
		go s.Wake()
		require.NoError(t, s.Wait(t.Context()))
	}
	done := make(chan error)
	go func() { done <- s.Wait(t.Context()) }()
	require.NoError(t, s.Close())
	require.ErrorIs(t, <-done, socket.ErrClosed)
	require.True(t, c.closed)
	require.ErrorIs(t, s.Wait(t.Context()), socket.ErrClosed)
}
