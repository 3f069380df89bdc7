package loggp_test

import (
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/loggp"
)

// network is a simulated link whose parameters are known.
type network struct {
	send, receive time.Duration // o_s and o_r
	gap, latency  time.Duration // g and L
	perByte       time.Duration // G
}

const many = 3000 // messages of a flood

// timed is the time for each of n messages, from the first to the answer to the last, in virtual time. Both ends compute.
func (w network) timed(t *testing.T, n, depth, size int, sending, receiving time.Duration) (each float64) {
	synctest.Test(t, func(t *testing.T) {
		arrivals, answers := make(chan time.Time, n), make(chan time.Time, 1)
		received := make(chan error, 1)
		go func() {
			received <- loggp.Flood(&receiver{network: w, arrivals: arrivals, answers: answers}, n, depth, computing(receiving))
		}()
		begun := time.Now()
		require.NoError(t, loggp.Flood(&sender{network: w, size: size, arrivals: arrivals, answers: answers}, n, depth, computing(sending)))
		require.NoError(t, <-received)
		each = time.Since(begun).Seconds() / float64(n)
	})
	return each
}

func computing(each time.Duration) func(int) {
	if each == 0 {
		return nil
	}
	return func(messages int) { time.Sleep(time.Duration(messages) * each) }
}

type sender struct {
	network
	size     int
	free     time.Time   // when the link takes the next message
	taken    []time.Time // when it has those that are not complete
	arrivals chan<- time.Time
	answers  <-chan time.Time
}

func (s *sender) Begin(n int) error {
	for range n {
		time.Sleep(s.send)
		begins := time.Now()
		if s.free.After(begins) {
			begins = s.free
		}
		bytes := time.Duration(s.size) * s.perByte
		s.free = begins.Add(s.gap + bytes)
		s.taken = append(s.taken, s.free)
		s.arrivals <- begins.Add(bytes + s.latency)
	}
	return nil
}

func (s *sender) Complete(n int) error {
	time.Sleep(time.Until(s.taken[n-1]))
	s.taken = s.taken[n:]
	return nil
}

func (s *sender) Answer() error {
	time.Sleep(time.Until(<-s.answers))
	time.Sleep(s.receive)
	return nil
}

type receiver struct {
	network
	arrivals <-chan time.Time
	answers  chan<- time.Time
}

func (r *receiver) Begin(int) error { return nil }

func (r *receiver) Complete(n int) error {
	for range n {
		time.Sleep(time.Until(<-r.arrivals))
		time.Sleep(r.receive)
	}
	return nil
}

func (r *receiver) Answer() error {
	time.Sleep(r.send)
	r.answers <- time.Now().Add(r.latency)
	return nil
}

func TestParametersOfAKnownNetworkAreFound(t *testing.T) {
	const short, long = 8, 128 << 10
	for name, w := range map[string]network{
		"overheads far below the gap": {send: 800, receive: 700, gap: 8 * time.Microsecond, latency: 20 * time.Microsecond, perByte: 2},
		"overheads near the gap":      {send: 4500, receive: 4900, gap: 5 * time.Microsecond, latency: 30 * time.Microsecond, perByte: 1},
		"latency below the overheads": {send: 3 * time.Microsecond, receive: 2 * time.Microsecond, gap: 4 * time.Microsecond, latency: 500, perByte: 5},
	} {
		t.Run(name, func(t *testing.T) {
			near := func(want time.Duration, seconds float64, what string) {
				t.Helper()
				assert.InEpsilon(t, want.Seconds(), seconds, 0.05, what)
			}
			near(w.send+w.latency+w.receive, w.timed(t, 1, 1, short, 0, 0)/2, "EEL")
			gap := w.timed(t, many, 16, short, 0, 0)
			near(w.gap, gap, "g")
			near(w.perByte, loggp.PerByte(gap, w.timed(t, many, 16, long, 0, 0), long), "G")

			alone := w.timed(t, many, 1, short, 0, 0)
			seconds := func(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
			send, err := loggp.Overhead(alone, func(compute float64) (float64, error) {
				return w.timed(t, many, 1, short, seconds(compute), 0), nil
			})
			require.NoError(t, err)
			near(w.send, send, "o_s")
			receive, err := loggp.Overhead(alone, func(compute float64) (float64, error) {
				return w.timed(t, many, 1, short, 0, seconds(compute)), nil
			})
			require.NoError(t, err)
			near(w.receive, receive, "o_r")
		})
	}
}

// Without a queue the gap has the overhead in it, with one it is hidden: figure 5.
func TestGapFallsWithTheDepthOfTheQueue(t *testing.T) {
	w := network{send: 4 * time.Microsecond, receive: time.Microsecond, gap: 6 * time.Microsecond, latency: 10 * time.Microsecond}
	assert.InEpsilon(t, 10e-6, w.timed(t, many, 1, 8, 0, 0), 0.05)
	assert.InEpsilon(t, 6e-6, w.timed(t, many, 4, 8, 0, 0), 0.05)
}

// script notes what a flood does.
type script struct {
	done []string
	fail string
}

func (s *script) note(what string) error {
	s.done = append(s.done, what)
	if what == s.fail {
		return errors.New(what)
	}
	return nil
}

func (s *script) Begin(n int) error    { return s.note(fmt.Sprint("begin ", n)) }
func (s *script) Complete(n int) error { return s.note(fmt.Sprint("complete ", n)) }
func (s *script) Answer() error        { return s.note("answer") }

func TestFloodSlidesByHalfItsQueue(t *testing.T) {
	for _, c := range []struct {
		n, depth int
		want     []string
	}{
		{8, 4, []string{"begin 4", "complete 2", "begin 2", "complete 2", "begin 2", "complete 4", "answer"}},
		{7, 4, []string{"begin 4", "complete 2", "begin 2", "complete 2", "begin 1", "complete 3", "answer"}},
		{2, 1, []string{"begin 1", "complete 1", "begin 1", "complete 1", "answer"}},
		{3, 8, []string{"begin 3", "complete 3", "answer"}},
	} {
		var s script
		require.NoError(t, loggp.Flood(&s, c.n, c.depth, nil))
		assert.Equal(t, c.want, s.done, "%d messages, %d under way", c.n, c.depth)
	}
}

func TestFloodComputesBetweenBeginAndComplete(t *testing.T) {
	var s script
	require.NoError(t, loggp.Flood(&s, 6, 4, func(messages int) { _ = s.note(fmt.Sprint("compute ", messages)) }))
	assert.Equal(t, []string{"begin 4", "compute 4", "complete 2", "begin 2", "compute 2", "complete 4", "answer"}, s.done)
}

func TestFloodEndsWithAnError(t *testing.T) {
	for _, what := range []string{"begin 4", "complete 2", "begin 2", "complete 4", "answer"} {
		s := script{fail: what}
		assert.EqualError(t, loggp.Flood(&s, 6, 4, nil), what)
		assert.Equal(t, what, s.done[len(s.done)-1])
	}
}

func TestOverheadIsTheGapWhereAnyComputationShows(t *testing.T) {
	o, err := loggp.Overhead(5, func(compute float64) (float64, error) { return 5 + compute, nil })
	require.NoError(t, err)
	assert.InEpsilon(t, 5.0, o, 1e-9)
}

func TestOneLateMessageIsNoOverhead(t *testing.T) {
	calls := 0
	o, err := loggp.Overhead(10, func(compute float64) (float64, error) {
		if calls++; calls == 2 {
			return 100, nil
		}
		return max(10, 2+compute), nil
	})
	require.NoError(t, err)
	assert.InEpsilon(t, 2.0, o, 1e-9)
}

func TestComputationThatNeverShowsIsAnError(t *testing.T) {
	_, err := loggp.Overhead(10, func(float64) (float64, error) { return 10, nil })
	assert.ErrorContains(t, err, "4.12 times as long as a message takes makes it no longer")
	_, err = loggp.Overhead(10, func(float64) (float64, error) { return 0, errors.New("broken") })
	assert.EqualError(t, err, "broken")
}
