package rx

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// commands reads numbers from fuzzed bytes.
type commands []byte

func (c *commands) next(n int) int {
	if len(*c) == 0 {
		return 0
	}
	b := (*c)[0]
	*c = (*c)[1:]
	return int(b) % n
}

// number is small, as a rule, or anything that a peer might make up.
func (c *commands) number() uint32 {
	switch n := c.next(16); n {
	case 15:
		return 0x7FFF_FFFE + uint32(c.next(4))
	case 14:
		return -uint32(c.next(4)) - 1
	case 13:
		return uint32(c.next(256)) << 8
	default:
		return uint32(n % 5)
	}
}

// Whatever a peer makes up: nothing panics, what is held stays in bounds and is
// counted right, and all of it is released in the end.
func FuzzReassembly(f *testing.F) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		seed := make([]byte, random.IntN(600))
		for i := range seed {
			seed[i] = byte(random.Uint32())
		}
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		c := commands(b)
		mode := c.next(16)
		config := Config{
			InitialTSN: rigTSN, Streams: 3, Buffer: MinBuffer, StreamLimit: 10_000,
			Interleaving: mode&1 != 0, PartialReliability: mode&2 != 0, Whole: mode&4 != 0,
		}
		r := newRig(t, func(c *Config) { *c = config })
		tracker, err := NewTracker(rigTSN, AckPolicy{})
		require.NoError(t, err)
		payload := make([]byte, 1+255*79)
		for len(c) > 0 {
			switch c.next(16) {
			case 0:
				skip(t, r, tracker, &c)
			case 1, 2, 3:
				p, _ := r.next()
				p.Release()
			case 4:
				p, _ := r.nextOf(socket.StreamID(c.next(4)))
				p.Release()
			case 5:
				_ = r.Hold(socket.StreamID(c.next(4)), c.next(2) != 0)
			default:
				tsn := tracker.CumulativeTSN() + 1 + wire.TSN(c.number())
				if tracker.Arrive(tsn) != Fresh {
					continue
				}
				flags := wire.DataFlags(c.next(16))
				stream := socket.StreamID(c.next(4))
				seq, fsn := c.number(), c.number()
				data := payload[:1+c.next(256)*c.next(80)]
				err := r.offer(func(b socket.Memory) error {
					if config.Interleaving {
						return r.IData(&wire.IData{
							Flags: flags, TSN: tsn, Stream: stream, MID: wire.MID(seq), FSN: wire.FSN(fsn), Payload: data,
						}, b)
					}
					return r.Data(&wire.Data{Flags: flags, TSN: tsn, Stream: stream, SSN: wire.SSN(seq), Payload: data}, b)
				})
				var violation *wire.Error
				switch {
				case err == nil || err == ErrStream:
					tracker.Accept(tsn, flags)
				case !errors.Is(err, ErrNoRoom):
					require.ErrorAs(t, err, &violation)
					require.NotZero(t, violation.Cause)
				}
			}
			r.requireConsistent()
		}
		s := tracker.SACK(1000, r.Window())
		last := uint16(1) // a block never touches the cumulative TSN
		for g := range s.GapBlocks.All() {
			require.True(t, last < g.Start && g.Start <= g.End)
			last = g.End
		}
		r.Close()
		r.requireEmpty()
	})
}

// skip makes up a FORWARD TSN.
func skip(t *testing.T, r *rig, tracker *Tracker, c *commands) {
	to := tracker.CumulativeTSN() + wire.TSN(c.number())
	moved, err := tracker.Forward(to)
	if err != nil || !moved {
		return
	}
	f := wire.ForwardTSN{CumulativeTSN: to}
	i := wire.IForwardTSN{CumulativeTSN: to}
	for range c.next(4) {
		stream, seq := socket.StreamID(c.next(4)), c.number()
		f.Skipped = f.Skipped.Append(wire.SkippedSSN{Stream: stream, SSN: wire.SSN(seq)})
		i.Skipped = i.Skipped.Append(wire.SkippedMID{Stream: stream, Unordered: c.next(2) != 0, MID: wire.MID(seq)})
	}
	if r.config.Interleaving {
		err = r.IForwardTSN(&i)
	} else {
		err = r.ForwardTSN(&f)
	}
	if err != nil {
		require.ErrorIs(t, err, ErrStream)
	}
}
