package driver

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

func TestAdvanceLooksForAGoroutineThatWaitsInTheNetwork(t *testing.T) {
	for _, mode := range []rpi.Progress{rpi.Hybrid, rpi.Event, rpi.Inline} {
		t.Run(mode.String(), func(t *testing.T) {
			f, d := drive(t, rpi.Config{Progress: mode, Spin: never})
			f.deaf = true
			var others sync.WaitGroup
			if mode != rpi.Inline {
				others.Go(func() { d.Loop(t.Context()) })
			}
			w := rpi.NewWaiter()
			var arrived atomic.Int32
			done := make(chan error, 1)
			others.Go(func() { done <- d.Await(t.Context(), w) })
			for n := range int32(3) {
				f.send(func() { arrived.Add(1) })
				for arrived.Load() <= n {
					d.Advance()
				}
			}
			f.send(w.Signal)
			for len(done) == 0 {
				d.Advance()
			}
			require.NoError(t, <-done)
			f.close()
			others.Wait()
		})
	}
}

func TestAdvanceRunsWhatMayRunOnlyInCalls(t *testing.T) {
	for _, mode := range []rpi.Progress{rpi.Hybrid, rpi.Event, rpi.Inline} {
		t.Run(mode.String(), func(t *testing.T) {
			then := rpi.NewContinuations()
			_, d := drive(t, rpi.Config{Progress: mode, Continuations: then})
			w := rpi.NewWaiter()
			then.AddInCall(signals{w})
			d.Advance()
			require.Len(t, w.C, 1)
			w.Release()
		})
	}
}

// Two that look at the same time would only keep each other.
func TestOneAtATimeStandsInForAGoroutineThatWaits(t *testing.T) {
	f, d := drive(t, rpi.Config{Progress: rpi.Inline, Spin: never})
	require.True(t, d.token.try())
	d.parked.Store(true)
	looks := 0
	f.send(func() {
		looks++
		f.send(func() { looks++ })
		d.Advance() // meanwhile
		require.Equal(t, 1, looks)
	})
	d.Advance()
	require.Equal(t, 1, looks)
	d.parked.Store(false)
	d.Advance()
	require.Equal(t, 1, looks, "the goroutine that has the token does not wait: it looks itself")
	d.parked.Store(true)
	d.Advance()
	require.Equal(t, 2, looks)
}
