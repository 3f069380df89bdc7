package rpi

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// runner is a Runner that is a function.
type runner func(inCall bool)

func (r runner) Run(inCall bool) { r(inCall) }

func TestContinuationsRunInOrder(t *testing.T) {
	c, n := NewContinuations(), 1000
	var got []int
	c.Enter()
	for i := range n {
		c.Add(runner(func(bool) {
			got = append(got, i)
			if i%3 == 0 { // and what a runner adds comes last
				c.Add(runner(func(bool) { got = append(got, n+i) }))
			}
		}))
	}
	require.Empty(t, got)
	c.Leave(false)
	var want, late []int
	for i := range n {
		want = append(want, i)
		if i%3 == 0 {
			late = append(late, n+i)
		}
	}
	require.Equal(t, append(want, late...), got)
}

// What may run only in calls of the program waits for one.
func TestContinuationsThatWaitForACall(t *testing.T) {
	c := NewContinuations()
	woken, run := 0, 0
	c.Wake(func() { woken++ })
	c.AddInCall(runner(func(inCall bool) {
		require.True(t, inCall)
		run++
	}))
	require.Len(t, c.Wanted(), 1)
	require.Equal(t, 1, woken)
	c.Enter()
	c.Leave(false)
	require.Zero(t, run)
	c.Enter()
	c.Leave(true)
	require.Equal(t, 1, run)
}

// Nothing is lost when some leave while others add, whether or not one is inside: each runs once.
func TestContinuationsLoseNothing(t *testing.T) {
	const goroutines, each = 8, 2000
	c := NewContinuations()
	var run atomic.Int32
	var all, done sync.WaitGroup
	done.Add(goroutines * each)
	for g := range goroutines {
		all.Go(func() {
			for i := range each {
				inside := (g+i)%2 == 0
				if inside {
					c.Enter()
				}
				c.Add(runner(func(bool) {
					run.Add(1)
					done.Done()
				}))
				if inside {
					c.Leave(i%3 == 0)
				}
			}
		})
	}
	all.Wait()
	done.Wait()
	require.EqualValues(t, goroutines*each, run.Load())
}
