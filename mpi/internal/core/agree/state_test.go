package agree

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

var seeds = flag.Uint64("agree.seeds", 4000, "how many random schedules are tried")

// chooser makes the choices of a schedule.
type chooser interface{ choose(n int) int }

type random struct{ *rand.Rand }

func (r random) choose(n int) int { return r.IntN(n) }

// exhaustive goes through all schedules: each run repeats the choices of the one before, but for the last that can be another.
type exhaustive struct{ made, of []int }

func (e *exhaustive) next() bool {
	for len(e.made) > 0 {
		last := len(e.made) - 1
		if e.made[last]++; e.made[last] < e.of[last] {
			return true
		}
		e.made, e.of = e.made[:last], e.of[:last]
	}
	return false
}

// run is one run of it, which reads the choices that are made already.
type run struct {
	*exhaustive
	at int
}

func (r *run) choose(n int) int {
	if r.at == len(r.made) {
		r.made, r.of = append(r.made, 0), append(r.of, n)
	}
	r.at++
	return r.made[r.at-1]
}

// parcel is a message on its way.
type parcel struct {
	from, to int
	m        Message
}

// group is ranks that agree, in a simulation: messages arrive in any order, deaths become known to each rank at any time.
type group struct {
	chooser
	ranks   []*State
	begun   []bool
	crashed []bool
	left    int // how many more may crash
	// dying counts down the messages that a rank still sends in this step before it crashes; -1: it does not.
	dying   int
	parcels []parcel
	notices []parcel // that from is dead
	log     []string
}

func newGroup(c chooser, n, crashes int) *group {
	g := &group{chooser: c, left: crashes, dying: -1, begun: make([]bool, n), crashed: make([]bool, n)}
	for me := range n {
		g.ranks = append(g.ranks, New(me, n, nil, func(to int, m Message) {
			if g.dying == 0 || g.crashed[me] {
				return
			}
			if g.dying > 0 {
				g.dying--
			}
			g.parcels = append(g.parcels, parcel{me, to, m})
		}))
	}
	return g
}

// proposal is what a rank proposes.
func proposal(rank int) Value {
	return Value{Kinds: 1, Flags: ^uint64(1 << rank), Choice: uint64(100 + rank), Acked: SetOf(rank)}
}

// step does one thing, and reports whether there was anything to do.
func (g *group) step() bool {
	var waiting []int
	for rank := range g.ranks {
		if !g.begun[rank] && !g.crashed[rank] {
			waiting = append(waiting, rank)
		}
	}
	n := len(waiting) + len(g.parcels) + len(g.notices)
	if n == 0 {
		return false
	}
	i := g.choose(n)
	switch {
	case i < len(waiting):
		rank := waiting[i]
		g.begun[rank] = true
		g.at(rank, "begins", func(s *State) { s.Begin(proposal(rank)) })
	case i < len(waiting)+len(g.parcels):
		i -= len(waiting)
		p := g.parcels[i]
		g.parcels = slices.Delete(g.parcels, i, i+1)
		g.at(p.to, fmt.Sprintf("gets %v of %d", p.m.Kind, p.from), func(s *State) { s.Receive(p.from, p.m) })
	default:
		i -= len(waiting) + len(g.parcels)
		p := g.notices[i]
		g.notices = slices.Delete(g.notices, i, i+1)
		g.at(p.to, fmt.Sprintf("knows that %d is dead", p.from), func(s *State) { s.Died(p.from) })
	}
	return true
}

// at has a rank do something. It may crash before it has sent all that it sends then.
func (g *group) at(rank int, what string, do func(*State)) {
	if g.crashed[rank] {
		return
	}
	g.log = append(g.log, fmt.Sprintf("%d %s", rank, what))
	if g.left > 0 && g.choose(4) == 0 {
		g.left--
		g.dying = g.choose(len(g.ranks))
	}
	do(g.ranks[rank])
	if g.dying >= 0 {
		g.dying, g.crashed[rank] = -1, true
		g.log = append(g.log, fmt.Sprintf("%d crashes", rank))
		for other := range g.ranks {
			if other != rank {
				g.notices = append(g.notices, parcel{from: rank, to: other})
			}
		}
	}
}

// check runs a group to its end, and requires what the package promises.
func check(t *testing.T, g *group) {
	for steps := 0; g.step(); steps++ {
		require.Less(t, steps, 10_000, "no end: %v", g.log)
	}
	var first *Value
	for rank, s := range g.ranks {
		v, decided := s.Outcome()
		if !decided {
			require.True(t, g.crashed[rank], "rank %d lives and has decided nothing: %v", rank, g.log)
			continue
		}
		if first == nil {
			first = &v
		}
		require.Equal(t, *first, v, "ranks have decided differently: %v", g.log)
	}
	if first == nil {
		return
	}
	require.EqualValues(t, 1, first.Kinds)
	for rank := range g.ranks {
		if g.crashed[rank] {
			continue
		}
		require.Zero(t, first.Flags&(1<<rank), "the proposal of rank %d is missing: %v", rank, g.log)
		require.False(t, first.Failed.Has(rank), "rank %d lives: %v", rank, g.log)
	}
	if len(g.ranks) > 1 && !slices.Contains(g.crashed, true) {
		require.EqualValues(t, 100, first.Choice)
		require.True(t, Set(nil).Covers(first.Failed) && Set(nil).Covers(first.Acked))
	}
}

func TestRandomSchedules(t *testing.T) {
	for seed := range *seeds {
		r := rand.New(rand.NewPCG(seed, 1))
		n := 1 + r.IntN(7)
		g := newGroup(random{r}, n, r.IntN(n+1))
		g.log = append(g.log, fmt.Sprintf("seed %d:", seed))
		check(t, g)
	}
}

// TestAllSchedules tries all schedules of very small groups, the first ones of larger ones.
func TestAllSchedules(t *testing.T) {
	for _, size := range []struct{ ranks, crashes, most int }{{1, 0, 10}, {2, 0, 100}, {2, 1, 1 << 13}, {3, 0, 1 << 12}, {3, 1, 1 << 12}} {
		e := &exhaustive{}
		count := 0
		for more := true; more && count < size.most; count++ {
			check(t, newGroup(&run{exhaustive: e}, size.ranks, size.crashes))
			more = e.next()
		}
		t.Logf("%d ranks, %d of which may crash: %d schedules", size.ranks, size.crashes, count)
	}
}

// A death that all participants have acknowledged before is told from others.
func TestFailuresThatAreAcknowledged(t *testing.T) {
	for _, c := range []struct {
		acked   [3]Set
		covered bool
	}{
		{[3]Set{SetOf(3), SetOf(3), SetOf(3)}, true},
		{[3]Set{SetOf(3), nil, SetOf(3)}, false},
	} {
		g := newGroup(random{rand.New(rand.NewPCG(7, 7))}, 4, 0)
		g.crashed[3] = true
		for rank := range 3 {
			g.ranks[rank].Died(3)
			g.begun[rank] = true
			g.ranks[rank].Begin(Value{Flags: 7, Failed: SetOf(3), Acked: c.acked[rank]})
		}
		for g.step() {
		}
		for rank := range 3 {
			v, decided := g.ranks[rank].Outcome()
			require.True(t, decided)
			require.EqualValues(t, 7, v.Flags)
			require.Equal(t, []int{3}, slices.Collect(v.Failed.Ranks()))
			require.Equal(t, c.covered, v.Acked.Covers(v.Failed))
		}
	}
}

// What has been handed over to be sent stays as it is, as it is encoded later: a rank that dies then does not change it.
func TestADeathDoesNotChangeWhatIsBeingSent(t *testing.T) {
	var sent []Message
	s := New(0, 4, SetOf(3), func(_ int, m Message) { sent = append(sent, m) })
	s.Begin(Value{Failed: SetOf(3)})
	require.Equal(t, Message{Query, Value{Failed: SetOf(3)}}, sent[0])
	s.Died(2)
	require.Equal(t, SetOf(3), sent[0].Value.Failed)
}
