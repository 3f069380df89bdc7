package mpitest

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

func TestAProgramFollowsFromItsSeed(t *testing.T) {
	for seed := range uint64(50) {
		require.Equal(t, New(seed, 5), New(seed, 5))
		require.Equal(t, Collectives(seed, 17), Collectives(seed, 17))
		require.Equal(t, Windows(seed, 5), Windows(seed, 5))
	}
	require.NotEqual(t, New(1, 5), New(2, 5))
}

// eachScript calls see for what a rank of a part does, of many programs.
func eachScript(see func(size int, p part, rank int, script []*step)) {
	for seed := range uint64(300) {
		p := New(seed, 5)
		for _, r := range p.rounds {
			for _, l := range r.lanes {
				for _, part := range l.parts {
					for rank, script := range part.scripts {
						see(p.Size, part, rank, script)
					}
				}
			}
		}
	}
}

func TestProgramsUseAllWays(t *testing.T) {
	verbs, sends, receives := map[verb]int{}, map[int]int{}, map[int]int{}
	eachScript(func(_ int, _ part, _ int, script []*step) {
		for _, s := range script {
			verbs[s.verb]++
			switch s.verb {
			case doSend:
				sends[s.way]++
			case doReceive:
				receives[s.way]++
			}
		}
	})
	require.Len(t, verbs, int(doPause)+1)
	require.Len(t, sends, beginReadySend+1)
	require.Len(t, receives, receiveWays)
}

// What is started is completed, once, and each message has a receive.
func TestScriptsLeaveNothingOpen(t *testing.T) {
	eachScript(func(_ int, p part, _ int, script []*step) {
		open := map[*step]bool{}
		for _, s := range script {
			switch {
			case s.verb == doComplete:
				require.True(t, open[s.of])
				delete(open, s.of)
			case (s.verb == doSend || s.verb == doReceive) && starts(s) && !s.atEnd:
				open[s] = true
			}
		}
		require.Empty(t, open)
		sent, received := 0, 0
		for _, script := range p.scripts {
			for _, s := range script {
				switch s.verb {
				case doSend:
					sent++
				case doReceive:
					received++
				}
			}
		}
		require.Equal(t, sent, received)
	})
}

// The check of results would be of no use if it missed mistakes.
func TestTheOracleNotices(t *testing.T) {
	faults := map[string]func(o []*operation) []*operation{
		"none":     func(o []*operation) []*operation { return o },
		"lost":     func(o []*operation) []*operation { return o[1:] },
		"twice":    func(o []*operation) []*operation { return append(o, o[0]) },
		"bytes":    func(o []*operation) []*operation { o[1].buf[7] ^= 1; return o },
		"beyond":   func(o []*operation) []*operation { o[0].buf[len(o[0].buf)-1] = 1; return o },
		"tag":      func(o []*operation) []*operation { o[0].status.Tag++; return o },
		"source":   func(o []*operation) []*operation { o[0].status.Source = 0; return o },
		"length":   func(o []*operation) []*operation { o[0].status.Count--; return o },
		"overtake": func(o []*operation) []*operation { slices.Reverse(o); return o },
	}
	for _, source := range []int{1, mpi.AnySource} {
		for name, fault := range faults {
			x := &rank{comm: world(t), part: &part{scripts: make([][]*step, 2)}}
			for id := range 3 {
				m := &message{id: id, source: 1, tag: 5, size: 10 + id}
				x.part.scripts[1] = append(x.part.scripts[1], &step{verb: doSend, message: m})
				receive := &step{verb: doReceive, source: source, tag: mpi.AnyTag}
				if source == 1 {
					receive.message = m
				}
				x.received = append(x.received, &operation{
					step: receive, buf: append(m.body(), 0), status: mpi.Status{Source: 1, Tag: 5, Count: m.size, Bytes: m.size},
				})
			}
			if x.received = fault(x.received); name == "none" || name == "overtake" && source == 1 { // it is posted order that counts
				require.NoError(t, x.verify(), name)
			} else {
				require.Error(t, x.verify(), name)
			}
		}
	}
}

// world is a world of one.
func world(t *testing.T) (world *mpi.Comm) {
	require.NoError(t, mpi.RunLocal(1, func(w *mpi.Comm) error { world = w; return nil }))
	return world
}

// What a fetch reads has the bits of ranks that may have been before it, and no others.
func TestReadingsAreNotAnything(t *testing.T) {
	for got, right := range map[int64]bool{40: true, 41: true, 44: true, 45: true, 42: false, 48: false, 39: false} {
		r := reading{got: []int64{got}, want: []int64{40}, mask: 0b101}
		require.Equal(t, right, r.right(), got)
	}
	exact := reading{got: []int64{1, 3}, want: []int64{1, 2}}
	require.False(t, exact.right())
}
