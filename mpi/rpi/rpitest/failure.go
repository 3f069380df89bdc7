package rpitest

import (
	"errors"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

func testFailure(t *testing.T, open rpi.Open) {
	for _, contract := range []struct {
		name string
		test func(t *testing.T, open rpi.Open)
	}{
		{"exactly what needs a dead peer ends", endWithAPeer},
		{"Gone tells who is dead and who is done", toldOfTheEnd},
		{"GiveUp takes a peer for dead, and tells it", giveUp},
		{"Revoke ends the use of a context", revoke},
		{"a receive from any source ends when no peer is left", noPeerLeft},
		{"or none that uses its context", noPeerLeftInScope},
		{"a peer dies while a long message is under way", deathAmidALongMessage},
	} {
		t.Run(contract.name, func(t *testing.T) { contract.test(t, open) })
	}
}

// The end of a peer fails what needs it and nothing else. What it has sent whole can be received.
func endWithAPeer(t *testing.T, open rpi.Open) {
	j := start(t, open, 3, nil)
	// 0 has a connection with both peers, and an unexpected message.
	j.start(1, send(0, 50, message(50, 100)))
	j.start(2, send(0, 51, message(51, 100)))
	j.do(0, probe(rpi.OpProbe, 1, 50), probe(rpi.OpProbe, 2, 51))

	unfinished := j.start(1, send(0, 52, make([]byte, long)))
	j.do(0, probe(rpi.OpProbe, 1, 52))

	needs := []*rpi.Request{
		recv(1, 1, make([]byte, 8)),
		recv(1, anyTag, make([]byte, 8)),
		send(1, 1, make([]byte, long)),
		probe(rpi.OpProbe, 1, 2),
		probe(rpi.OpMprobe, 1, 2),
	}
	needs[1].Context = 2
	others := []*rpi.Request{
		recv(2, 1, make([]byte, 8)),
		recv(anySource, 1, make([]byte, 8)),
		probe(rpi.OpProbe, anySource, 2),
	}
	j.start(0, needs...)
	j.start(0, others...)
	j.ranks[1].Kill()
	j.wait(0, needs...)
	for _, r := range needs {
		require.ErrorIs(t, r.Err, rpi.ErrProcFailed, "%v", r.Op)
		var peer *rpi.PeerError
		require.ErrorAs(t, r.Err, &peer)
		require.EqualValues(t, 1, peer.Peer)
	}
	j.wait(1, unfinished)
	require.Error(t, unfinished.Err)

	// What had arrived whole can be received; what had not, cannot.
	r := recv(1, 50, make([]byte, 100))
	j.do(0, r)
	requireMessage(t, r, 50, 100)
	r = recv(1, 52, make([]byte, long))
	j.start(0, r)
	j.wait(0, r)
	require.ErrorIs(t, r.Err, rpi.ErrProcFailed)
	_, _, err := j.ranks[0].Iprobe(0, 1, 52)
	require.ErrorIs(t, err, rpi.ErrProcFailed)

	// The others work on.
	for i := range others {
		require.False(t, others[i].Completed())
	}
	j.start(2, send(0, 1, message(1, 8)), send(0, 1, message(2, 8)), send(0, 2, message(3, 8)))
	j.wait(0, others...)
	requireMessage(t, others[0], 1, 8)
	requireMessage(t, others[1], 2, 8)
	require.NoError(t, others[2].Err)
}

// Config.Gone is told of each peer that has died.
func toldOfTheEnd(t *testing.T, open rpi.Open) {
	var dead, done [3]atomic.Int32
	j := start(t, open, 3, func(rank int, cfg *rpi.Config) {
		cfg.Gone = func(peer matching.Rank, cause error) {
			if errors.Is(cause, rpi.ErrFinalized) {
				done[peer].Add(1)
			} else if rank == 0 {
				dead[peer].Add(1)
			}
		}
	})
	r := j.start(0, recv(1, 1, nil))
	j.ranks[1].Kill()
	j.wait(0, r)
	require.EqualValues(t, 1, dead[1].Load())
	require.Zero(t, dead[2].Load()+done[1].Load())
}

// GiveUp fails what needs the peer at this rank, and what needs this rank at the peer, connected or not.
func giveUp(t *testing.T, open rpi.Open) {
	j := start(t, open, 3, nil)
	for rank := 1; rank < 3; rank++ {
		j.start(rank, send(0, 5, nil))
		j.do(0, recv(rank, 5, nil))
	}
	r := j.start(0, recv(1, 1, nil))
	s := j.start(0, send(1, 1, make([]byte, long)))
	j.ranks[0].GiveUp(1, errors.New("the launcher says so"))
	j.wait(0, r, s)
	require.ErrorIs(t, r.Err, rpi.ErrProcFailed)
	require.ErrorIs(t, s.Err, rpi.ErrProcFailed)
	theirs := j.start(1, recv(0, 3, nil))
	j.wait(1, theirs)
	require.ErrorIs(t, theirs.Err, rpi.ErrProcFailed)
	require.ErrorIs(t, theirs.Err, rpi.ErrGivenUp)
	j.start(2, send(0, 6, nil))
	j.do(0, recv(2, 6, nil))

	j.ranks[2].GiveUp(1, errors.New("the launcher says so")) // there is no connection with it
	r = recv(1, 1, nil)
	j.start(2, r)
	j.wait(2, r)
	require.ErrorIs(t, r.Err, rpi.ErrProcFailed)
	theirs = recv(2, 3, nil)
	j.start(1, theirs)
	j.wait(1, theirs)
	require.ErrorIs(t, theirs.Err, rpi.ErrGivenUp)
	j.ranks[1].Kill()
}

// Revoke fails what uses the context, now and later, and drops its messages.
func revoke(t *testing.T, open rpi.Open) {
	const revoked = 8
	in := func(r *rpi.Request) *rpi.Request { return inContext(revoked, r) }
	j := start(t, open, 2, nil)
	j.start(1, send(0, 5, nil), in(send(0, 1, message(1, 100))))
	j.do(0, recv(1, 5, nil))
	waiting := []*rpi.Request{
		in(recv(1, 2, make([]byte, 8))), in(recv(anySource, 3, nil)), in(probe(rpi.OpProbe, 1, 3)), in(probe(rpi.OpMprobe, anySource, 4)),
	}
	j.do(0, in(recv(1, 1, make([]byte, 100)))) // what is not revoked goes on
	j.start(0, waiting...)
	stuck := j.start(1, in(send(0, 9, make([]byte, long))))
	j.ranks[0].Revoke(revoked)
	j.wait(0, waiting...)
	for _, r := range waiting {
		require.ErrorIs(t, r.Err, rpi.ErrRevoked, "%v", r.Op)
	}
	j.wait(1, stuck) // its message is dropped
	late := []*rpi.Request{in(recv(1, 2, nil)), in(probe(rpi.OpProbe, 1, 3)), in(send(1, 1, nil))}
	j.start(0, late...)
	j.wait(0, late...)
	for _, r := range late {
		require.ErrorIs(t, r.Err, rpi.ErrRevoked, "%v", r.Op)
	}
	j.start(1, in(send(0, 7, nil)), send(0, 6, nil)) // dropped, and received
	j.do(0, recv(1, 6, nil))
	j.ranks[1].Revoke(revoked)
	require.Empty(t, j.ranks[0].Pending().Unexpected)
}

// A receive from any source fails when the last peer has died.
func noPeerLeft(t *testing.T, open rpi.Open) {
	j := start(t, open, 2, nil)
	j.start(1, send(0, 5, nil))
	j.do(0, recv(1, 5, nil))
	r := j.start(0, recv(anySource, 1, make([]byte, 8)))
	j.ranks[1].Kill()
	j.wait(0, r)
	require.ErrorIs(t, r.Err, rpi.ErrProcFailed)
}

// So it does when those have died that Scope says use its context, unless that has been released.
func noPeerLeftInScope(t *testing.T, open rpi.Open) {
	const half, other = 4, 6
	j := start(t, open, 4, nil)
	for rank := 1; rank < 4; rank++ {
		j.start(rank, send(0, 5, nil))
		j.do(0, recv(rank, 5, nil))
	}
	for _, rank := range []int{0, 1, 2} {
		j.ranks[rank].Scope(half, []matching.Rank{2, 0, 1})
		j.ranks[rank].Scope(other, []matching.Rank{0, 1, 2})
	}
	deserted := []*rpi.Request{
		inContext(half, recv(anySource, 1, make([]byte, 8))),
		inContext(half, recv(anySource, anyTag, make([]byte, 8))),
		inContext(half, probe(rpi.OpProbe, anySource, 1)),
	}
	unscoped := inContext(0, recv(anySource, 1, make([]byte, 8)))
	released := inContext(other, recv(anySource, 1, make([]byte, 8)))
	j.ranks[0].Release(other)
	j.start(0, append(deserted, unscoped, released)...)
	j.ranks[1].Kill()
	gone := recv(1, 9, nil)
	j.start(0, gone)
	j.wait(0, gone)
	for _, r := range append(deserted, unscoped, released) {
		require.False(t, r.Completed(), "rank 2 lives")
	}
	j.ranks[2].Kill()
	j.wait(0, deserted...)
	for _, r := range deserted {
		require.ErrorIs(t, r.Err, rpi.ErrProcFailed)
	}
	late := inContext(half, recv(anySource, 7, nil))
	j.start(0, late)
	j.wait(0, late)
	require.ErrorIs(t, late.Err, rpi.ErrProcFailed)
	_, _, err := j.ranks[0].Iprobe(half, matching.AnySource, 1)
	require.ErrorIs(t, err, rpi.ErrProcFailed)
	for _, r := range []*rpi.Request{unscoped, released} {
		require.False(t, r.Completed(), "rank 3 lives")
	}
	j.start(3, send(0, 1, message(1, 8)))
	j.wait(0, unscoped)
	requireMessage(t, unscoped, 1, 8)
	j.ranks[0].Cancel(released)
}

// A long message under way ends at both ends, with the message or with an error.
func deathAmidALongMessage(t *testing.T, open rpi.Open) {
	body := message(1, 32<<20)
	for range 5 {
		j := start(t, open, 2, nil)
		r := j.start(0, recv(1, 1, make([]byte, len(body))))
		s := j.start(1, send(0, 1, body))
		j.do(1, recv(1, 9, nil), send(1, 9, nil)) // some time of its own
		j.ranks[1].Kill()
		j.wait(0, r)
		j.wait(1, s)
		if r.Err == nil { // it was quicker, and the sender may not have heard of it
			requireMessage(t, r, 1, len(body))
			continue
		}
		require.ErrorIs(t, r.Err, rpi.ErrProcFailed)
	}
}

func inContext(c matching.Context, r *rpi.Request) *rpi.Request {
	r.Context = c
	return r
}
