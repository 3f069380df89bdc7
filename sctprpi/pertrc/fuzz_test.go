package pertrc

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/internal/header"
	"github.com/sctpmpi/sctpmpi/internal/trc"
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// TestMessagesInPieces: however messages are cut, and wherever a receive is posted between the pieces, it gets its message.
func TestMessagesInPieces(t *testing.T) {
	first, second := frame(0, 0), append(frame(1, 7)[:header.Size], "seven b"...)
	third := append(frame(2, 3)[:header.Size], "end"...)
	var bytewise [][]byte
	for i := range second {
		bytewise = append(bytewise, second[i:i+1])
	}
	cuts := [][][]byte{{second}, bytewise}
	for i := 1; i < len(second); i++ {
		cuts = append(cuts, [][]byte{second[:i], second[i:]})
	}
	for _, pieces := range cuts {
		for at := range len(pieces) + 2 { // before, between the pieces, and after all
			p := newPuppet(t)
			r := request(rpi.OpRecv, 1, 5, make([]byte, 7))
			p.say(1, first)
			if at == 0 {
				start(p.v, request(rpi.OpRecv, 1, 5, nil))
				start(p.v, r)
			}
			for i, b := range pieces {
				p.add(socket.Event{Kind: socket.Data, Assoc: 1, Stream: 1, Payload: b, Begin: i == 0, End: i == len(pieces)-1})
				if p.poll(t); at == i+1 {
					start(p.v, request(rpi.OpRecv, 1, 5, nil))
					start(p.v, r)
				}
			}
			p.say(1, third)
			p.poll(t)
			if at == len(pieces)+1 {
				start(p.v, request(rpi.OpRecv, 1, 5, nil))
				start(p.v, r)
			}
			last := start(p.v, request(rpi.OpRecv, 1, 5, make([]byte, 3)))
			p.poll(t)
			require.True(t, r.Completed() && last.Completed(), "%d pieces, posted behind %d", len(pieces), at)
			require.Equal(t, "seven b", string(finish(t, r).Buf))
			require.Equal(t, "end", string(finish(t, last).Buf))
			p.v.Kill()
		}
	}
}

// FuzzPieces feeds a transport with what a member of the job might send, cut in pieces on several streams, while receives are
// posted and cancelled and messages probed. A step is three bytes, and as many more as the third says: what it is, the
// stream or tag, and the piece. Whatever comes, nothing is written outside of the buffers of receives, and all of these
// complete in the end.
func FuzzPieces(f *testing.F) {
	const ( // what a step is
		begin, end = 1, 2
		broken     = 4
		post       = 8
		probe      = 16
		cancel     = 32
	)
	step := func(what, at byte, data []byte) []byte { return append([]byte{what, at, byte(len(data))}, data...) }
	join := func(steps ...[]byte) []byte { return bytes.Join(steps, nil) }
	whole, next := frame(0, 4), frame(1, 9)
	receive := step(post, 5, nil)
	f.Add(join(receive, step(begin|end, 1, whole), step(begin|end, 1, next), receive))
	f.Add(join(step(begin, 1, whole[:20]), step(0, 1, whole[20:42]), receive, step(end, 1, whole[42:]), step(begin|end, 1, next)))
	f.Add(join(step(begin|end, 1, whole), step(probe, 5, nil), step(begin|end, 1, next), receive, receive, step(cancel, 0, nil)))
	f.Add(join(step(begin|end, 1, whole), step(begin|end, 0, note(trc.Note{Kind: trc.Reclaim, ID: 1, Seq: 1})), step(post, 9, nil)))
	f.Add(join(step(begin|end, 0, note(trc.Note{Kind: trc.Retract, ID: 1, Tag: 5})), step(begin|end, 1, whole), step(broken, 1, nil)))
	for i := range whole {
		f.Add(join(receive, step(begin, 1, whole[:i]), step(end, 1, whole[i:])))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		p := newPuppet(t)
		const n = 100
		around := bytes.Repeat([]byte{0xee}, 3*n)
		var rs []*rpi.Request
		for len(b) >= 3 && len(rs) < 50 {
			what, at := b[0], b[1]
			data := b[3:][:min(int(b[2]), len(b)-3)]
			b = b[3+len(data):]
			tag := int(at) - 1
			switch {
			case what&cancel != 0 && len(rs) > 0:
				p.v.Cancel(rs[int(at)%len(rs)])
			case what&post != 0:
				buf := make([]byte, n)
				if len(rs) == 0 {
					buf = around[n : 2*n : 2*n]
				}
				rs = append(rs, start(p.v, request(rpi.OpRecv, 1, tag, buf)))
			case what&probe != 0:
				if m, _, found, _ := p.v.Improbe(0, 1, matching.Tag(tag)); found {
					r := request(rpi.OpRecv, 1, tag, make([]byte, n))
					r.Message = m
					rs = append(rs, start(p.v, r))
				}
			default:
				p.add(socket.Event{
					Kind: socket.Data, Assoc: 1, Stream: socket.StreamID(at % 16), Payload: data,
					Begin: what&begin != 0, End: what&end != 0, Broken: what&broken != 0, Unordered: what&64 != 0,
				})
			}
			p.poll(t)
		}
		p.v.Kill()
		for _, r := range rs {
			require.True(t, r.Completed())
		}
		require.Equal(t, bytes.Repeat([]byte{0xee}, n), around[:n])
		require.Equal(t, bytes.Repeat([]byte{0xee}, n), around[2*n:])
	})
}
