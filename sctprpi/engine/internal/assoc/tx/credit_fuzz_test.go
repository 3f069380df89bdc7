package tx

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// reader is a peer that reads streams when it is told to, and remembers.
type reader struct {
	*Sender
	t       *testing.T
	limit   uint32
	now     time.Duration
	streams [4]struct{ sent, granted uint32 }
	// refused streams are yet to hear that they may try again.
	refused [4]bool
	queued  int
}

// FuzzCredit drives a Sender by commands, two bytes each: nothing is begun beyond a
// limit, and what was refused is welcome once the peer has read.
func FuzzCredit(f *testing.F) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 16 {
		seed := make([]byte, 300)
		for i := range seed {
			seed[i] = byte(rng.Uint32())
		}
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, commands []byte) {
		if len(commands) < 3 {
			return
		}
		r := &reader{t: t, limit: 1 + uint32(commands[0])*uint32(commands[1])}
		var err error
		r.Sender, err = New(Config{
			Streams: 4, PeerWindow: 1 << 20, SendBuffer: 40_000, Scheduler: socket.Scheduler(commands[2]) % (socket.Weighted + 1),
			Interleaving: commands[2]&8 != 0, StreamLimit: wire.StreamLimit{Bytes: r.limit, Whole: commands[2]&16 != 0},
		})
		require.NoError(t, err)
		_, err = r.AddPath(600)
		require.NoError(t, err)
		for commands = commands[3:]; len(commands) >= 2; commands = commands[2:] {
			r.do(commands[0], commands[1])
			requireConsistent(t, r.Sender)
		}
		r.finish()
	})
}

func (r *reader) do(command, arg byte) {
	id := socket.StreamID(arg % 4)
	switch command % 5 {
	case 0:
		size := 1 + int(command)*int(arg)/2
		lifetime := time.Duration(arg%3/2) * 50 * ms
		err := r.Queue(r.now, &socket.Message{Stream: id, Lifetime: lifetime, Data: [][]byte{make([]byte, size)}})
		if err == nil {
			r.queued++
		} else {
			require.ErrorIs(r.t, err, socket.ErrWouldBlock)
			r.refused[id] = true
		}
	case 1:
		r.send()
	case 2:
		s := &r.streams[id]
		s.granted += (s.sent - s.granted) * uint32(command) / 255
		require.NoError(r.t, r.Granted(r.now, grant(id, s.granted)))
	case 3:
		r.now += time.Duration(arg) * ms
		for _, ok := r.Expire(r.now); ok; _, ok = r.Expire(r.now) {
		}
		r.AppendAsking(nil, int(arg%5))
	case 4:
		require.Error(r.t, r.Granted(r.now, grant(id, r.streams[id].sent+1+uint32(arg))))
	}
	r.wake()
}

// send sends all that may be sent and has it acknowledged.
func (r *reader) send() {
	for {
		chunks := r.Next(nil, r.now, 0, 600)
		if len(chunks) == 0 {
			break
		}
		for i := range chunks {
			c := &chunks[i]
			if c.Retransmission {
				continue
			}
			s := &r.streams[c.Stream]
			begins := c.Flags&wire.FlagBegin != 0
			if begins || r.config.Interleaving && !r.config.StreamLimit.Whole {
				require.Less(r.t, s.sent-s.granted, r.limit)
			}
			s.sent += wire.StreamCharge(c.Len())
		}
	}
	_, err := r.Sack(r.now, sackOf(r.NextTSN()-1, 1<<20))
	require.NoError(r.t, err)
}

func (r *reader) wake() {
	for _, ok := r.NextRelease(); ok; _, ok = r.NextRelease() {
		r.queued--
	}
	if r.Writable() {
		r.refused = [4]bool{}
	}
}

// finish lets the peer read everything, after a credit request if there is one. Then all must have
// been sent, and each refused sender must have been told of room.
func (r *reader) finish() {
	for range 2000 {
		r.send()
		r.wake()
		for id := range r.streams {
			s := &r.streams[id]
			s.granted = s.sent
			require.NoError(r.t, r.Granted(r.now, grant(socket.StreamID(id), s.granted)))
		}
		r.wake()
		if r.Drained() {
			break
		}
	}
	require.True(r.t, r.Drained())
	require.Zero(r.t, r.queued)
	require.Equal(r.t, [4]bool{}, r.refused)
	_, running := r.Deadline()
	require.False(r.t, running)
	requireConsistent(r.t, r.Sender)
}
