package progression

import (
	"encoding/binary"
	"testing"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// sinkhole is a Link that takes frames and never says what became of them.
type sinkhole struct{ frames []*Frame }

func (s *sinkhole) Queue(f *Frame)                                       { s.frames = append(s.frames, f) }
func (s *sinkhole) Together(*Frame, matching.Tag, matching.Context) bool { return true }

// FuzzHostilePeer feeds a layer whatever a member of the job may send,
// between operations of its own process: it must not panic, hold more than
// the peer's share, or write outside the buffers that it was given.
func FuzzHostilePeer(f *testing.F) {
	add := func(envs ...matching.Envelope) {
		var b []byte
		for i := range envs {
			b = append(b, byte(i))
			b = matching.AppendEnvelope(b, &envs[i])
		}
		f.Add(b)
	}
	eager := matching.Envelope{Kind: matching.Eager, Length: 16, ElemSize: 1, Type: 1}
	add(eager)
	add(eager, matching.Envelope{Kind: matching.Request, Seq: 1, Length: 100, ElemSize: 1, Type: 1, SendID: 1})
	add(matching.Envelope{Kind: matching.Clear, SendID: 1, RecvID: 1}, matching.Envelope{Kind: matching.Ack, SendID: 1})
	add(matching.Envelope{Kind: matching.Body, RecvID: 1, Length: 50}, matching.Envelope{Kind: matching.Body, RecvID: 1, Offset: 50, Length: 50})
	add(matching.Envelope{Kind: matching.Retracted, SendID: 2}, matching.Envelope{Kind: matching.Credit, Length: 300})
	add(matching.Envelope{Kind: matching.Retract, SendID: 1}, matching.Envelope{Kind: matching.Void, Seq: 3}, matching.Envelope{Kind: matching.Bye})
	f.Fuzz(func(t *testing.T, script []byte) {
		link := new(sinkhole)
		l := New(rpi.Config{Rank: 0, Size: 2, EagerLimit: 64, UnexpectedLimit: 4096}, link)
		var mine []*rpi.Request
		for len(script) >= 1+matching.EnvelopeSize {
			op, raw := script[0], script[1:1+matching.EnvelopeSize]
			script = script[1+matching.EnvelopeSize:]
			r := &rpi.Request{Op: rpi.Op(op >> 1 & 3), Mode: rpi.Mode(op >> 3 & 3), Peer: 1, Type: 1, Elem: 1,
				Tag: matching.Tag(binary.BigEndian.Uint32(raw[4:]) & 3), Buf: make([]byte, op)}
			if op&1 == 1 {
				mine = append(mine, r)
				l.Start(r, op&0x80 != 0)
			}
			if op&0x20 != 0 && len(mine) > 0 {
				l.Cancel(mine[int(op)%len(mine)])
			}
			if op&0x40 != 0 && len(link.frames) > 0 {
				l.Sent(link.frames[0])
				link.frames = link.frames[1:]
			}
			var env matching.Envelope
			if matching.ParseEnvelope(&env, raw) != nil {
				continue
			}
			sink, err := l.Arrive(1, &env)
			if err != nil || env.Kind == matching.Bye {
				break // the transport would cut the peer off
			}
			if sink.Pending() {
				if uint64(len(sink.Buf))+sink.Discard != env.Length {
					t.Fatalf("sink of %d and %d for a body of %d bytes", len(sink.Buf), sink.Discard, env.Length)
				}
				clear(sink.Buf)
				l.Arrived(&sink)
			}
			if l.peers[1].used > l.share {
				t.Fatalf("%d bytes held, the share is %d", l.peers[1].used, l.share)
			}
		}
		l.Fail(1, rpi.ErrOther)
		for _, f := range link.frames {
			l.Dropped(f)
		}
		l.Close()
		for i, r := range mine {
			if !r.Completed() {
				t.Fatalf("request %d (%v) never completed", i, r.Op)
			}
		}
	})
}
