package progression

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/internal/header"
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/monitor"
)

// taker takes the frames off a layer's queues, and does not say what became of them.
type taker struct {
	*Layer
	taken []*Frame
}

// frames are those that have been queued so far, but for those that the test has removed.
func (t *taker) frames() []*Frame {
	for peer := range t.peers {
		for f := t.peers[peer].queue.Pop(); f != nil; f = t.peers[peer].queue.Pop() {
			t.taken = append(t.taken, f)
		}
	}
	return t.taken
}

// guard is how many bytes behind each buffer must stay as they are.
const guard = 64

// hostile plays rank 1 against the layer of rank 0. Its frames come on several streams, so
// that bodies are filled in pieces, in any order, and while other frames arrive.
type hostile struct {
	*testing.T
	taker
	mine  []*rpi.Request
	sinks [4]*arriving // by stream
}

// arriving is a body of which a part may have been filled.
type arriving struct {
	Sink
	filled int
}

// The bits of the first byte of a step: what rank 0 does, and what happens to bodies. Its
// second byte has the stream of the frame, and how much is filled of the body there.
const (
	starts    = 1 << 0
	opBits    = 1 // 2 bits
	modeBits  = 3 // 2 bits
	cancels   = 1 << 5
	leaves    = 1 << 6
	hastens   = 1 << 7
	stops     = 3 << opBits // unless it starts something
	stepBytes = 2 + header.Size
)

// FuzzHostilePeer feeds a layer whatever a member of the job may send,
// between operations of its own process: it must not panic, hold more than
// the peer's share, or write outside the buffers that it was given, or after they are the
// program's again.
func FuzzHostilePeer(f *testing.F) {
	for _, s := range hostileScripts {
		f.Add(script(s.steps))
	}
	f.Fuzz(playHostile)
}

// TestHostilePeer has what fuzzing begins with under its names.
func TestHostilePeer(t *testing.T) {
	for _, s := range hostileScripts {
		t.Run(s.name, func(t *testing.T) { playHostile(t, script(s.steps)) })
	}
}

func playHostile(t *testing.T, script []byte) {
	h := &hostile{T: t}
	h.Layer = New(rpi.Config{Rank: 0, Size: 3, EagerLimit: 64, UnexpectedLimit: 8192}, monitor.New(nil), InOneOrder, nil)
	for len(script) >= stepBytes {
		if !h.step(script[0], script[1], script[2:stepBytes]) {
			h.end() // with bodies that will never be complete
			return
		}
		script = script[stepBytes:]
	}
	for i := range h.sinks {
		if h.sinks[i] != nil {
			h.fill(&h.sinks[i], 0)
		}
	}
	h.end()
}

// step has something happen at rank 0, and a frame arrive. It reports whether the transport
// would take more from the peer.
func (h *hostile) step(op, flow byte, raw []byte) bool {
	h.act(op, matching.Tag(binary.BigEndian.Uint32(raw[4:])&3))
	stream := &h.sinks[flow&3]
	if *stream != nil {
		h.fill(stream, int(flow>>2))
	}
	var env header.Header
	if header.Parse(&env, raw) != nil || *stream != nil {
		return true // there is no frame, or the one before has not arrived entirely
	}
	sink, err := h.Arrive(1, &env)
	if err != nil {
		return false
	}
	if sink.Pending() {
		if sink.Buf != nil && uint64(len(sink.Buf)) != env.Length {
			h.Fatalf("sink of %d for a body of %d bytes", len(sink.Buf), env.Length)
		}
		*stream = &arriving{Sink: sink}
	}
	if p := &h.peers[1]; p.used+p.owed.bytes > h.share || p.used < 0 || p.owed.bytes < 0 {
		h.Fatalf("%d bytes held and %d owed, the share is %d", p.used, p.owed.bytes, h.share)
	}
	if p := &h.peers[1]; p.credit < 0 || p.rationed < 0 || p.credit+p.rationed > h.share {
		h.Fatalf("credit %d and %d rationed, the share is %d", p.credit, p.rationed, h.share)
	}
	return true
}

// act is what the program and the transport of rank 0 do.
func (h *hostile) act(op byte, tag matching.Tag) {
	if op&starts != 0 {
		h.start(&rpi.Request{Op: rpi.Op(op >> opBits & 3), Mode: rpi.Mode(op >> modeBits & 3), Tag: tag, Buf: make([]byte, op, int(op)+guard)}, op&hastens != 0)
	}
	if op&(starts|stops) == stops {
		h.StopReceiving()
	}
	if op&cancels != 0 && len(h.mine) > 0 {
		h.Cancel(h.mine[int(op)%len(h.mine)])
	}
	if frames := h.frames(); op&leaves != 0 && len(frames) > 0 {
		h.Sent(frames[0])
		h.taken = frames[1:]
	}
	for _, probe := range h.mine {
		if m := probe.Message; m != nil && probe.Op == rpi.OpMprobe && probe.Completed() {
			probe.Message = nil
			h.start(&rpi.Request{Op: rpi.OpRecv, Message: m, Buf: make([]byte, op, int(op)+guard)}, false)
			break
		}
	}
}

func (h *hostile) start(r *rpi.Request, others bool) {
	r.Peer, r.Type, r.Elem = 1, 1, 1
	if r.Op != rpi.OpSend && r.Mode == rpi.Synchronous {
		r.Peer = matching.AnySource
	}
	h.mine = append(h.mine, r)
	h.Start(r, others)
}

// fill adds n bytes of a body, or all of it if n is 0.
func (h *hostile) fill(stream **arriving, n int) {
	a := *stream
	size := int(a.length)
	if n == 0 {
		n = size
	}
	for i := a.filled; i < min(a.filled+n, len(a.Buf)); i++ {
		h.requireOpen(a.Buf)
		a.Buf[i] = 0xff
	}
	if a.filled += n; a.filled >= size {
		h.Arrived(&a.Sink)
		*stream = nil
	}
}

// requireOpen fails if a buffer belongs to a request that has completed.
func (h *hostile) requireOpen(buf []byte) {
	for _, r := range h.mine {
		if cap(r.Buf) > 0 && &r.Buf[:cap(r.Buf)][cap(r.Buf)-1] == &buf[:cap(buf)][cap(buf)-1] && r.Completed() {
			h.Fatal("a body goes to a receive that has completed")
		}
	}
}

// end is what the transport does with a peer that it cuts off, and its own end.
func (h *hostile) end() {
	h.Layer.Fail(1, rpi.ErrOther)
	for _, f := range h.frames() {
		h.Dropped(f)
	}
	h.Close()
	for i, r := range h.mine {
		if !r.Completed() {
			h.Fatalf("request %d (%v) never completed", i, r.Op)
		}
		if r.Op == rpi.OpRecv && slices.Max(append(r.Buf[len(r.Buf):cap(r.Buf)], 0)) > 0 {
			h.Fatalf("bytes behind the buffer of request %d", i)
		}
	}
}

// TestAPeerMayNotDoWhatItWasNotAskedFor: frames that are well formed, at a time when no
// correct process would send them.
func TestAPeerMayNotDoWhatItWasNotAskedFor(t *testing.T) {
	eager := header.Header{Kind: header.Eager, Length: 16, ElemSize: 1, Type: 1}
	send := func() *rpi.Request {
		return &rpi.Request{Op: rpi.OpSend, Mode: rpi.Synchronous, Peer: 1, Type: 1, Elem: 1, Buf: make([]byte, 16)}
	}
	withoutCredit := func(l *Layer) {
		l.peers[1].credit = 0
		l.Start(send(), false)
	}
	for name, c := range map[string]struct {
		before func(l *Layer)
		frame  header.Header
	}{
		"to return credit of a TRC that has taken none": {func(*Layer) {}, header.Header{Kind: header.Credit, Length: 1, Rationed: true}},
		"to return no credit of a TRC":                  {func(*Layer) {}, header.Header{Kind: header.Credit, Rationed: true}},
		"to return as credit of all what a TRC has taken": {
			func(l *Layer) {
				l.peers[1].credit = l.share / 2
				l.Start(send(), false)
				l.peers[1].credit = l.share - l.peers[1].rationed
			},
			header.Header{Kind: header.Credit, Length: 1},
		},
		"to use credit that it has not got back": {
			func(l *Layer) { l.peers[1].owed.bytes = l.share - Overhead },
			eager,
		},
		"to send the body of a message that arrives by itself": {
			func(l *Layer) {
				l.Start(&rpi.Request{Op: rpi.OpRecv, Peer: 1, Type: 1, Elem: 1, Buf: make([]byte, 16)}, false)
				_, err := l.Arrive(1, &eager)
				require.NoError(t, err)
			},
			header.Header{Kind: header.Body, RecvID: 1, Length: 16},
		},
		"to clear a send that has left whole": {
			func(l *Layer) { l.Start(send(), false) },
			header.Header{Kind: header.CTS, SendID: 1, RecvID: 1},
		},
		"to forget a send that is not cancelled": {
			func(l *Layer) { l.Start(send(), false) },
			header.Header{Kind: header.Retracted, SendID: 1},
		},
		"to forget a send twice": {
			func(l *Layer) {
				r := send()
				l.Start(r, false)
				r.Transport.Pending.(*Frame).Started = true
				l.Cancel(r)
				_, err := l.Arrive(1, &header.Header{Kind: header.Retracted, SendID: 1})
				require.NoError(t, err)
			},
			header.Header{Kind: header.Retracted, SendID: 1},
		},
		"to return as undeliverable: a send that it has asked for the body of": {
			func(l *Layer) {
				r := send()
				r.Buf = make([]byte, rpi.DefaultEagerLimit+1)
				l.Start(r, false)
				_, err := l.Arrive(1, &header.Header{Kind: header.CTS, SendID: 1, RecvID: 1})
				require.NoError(t, err)
			},
			header.Header{Kind: header.Undeliverable, SendID: 1},
		},
		"to return as undeliverable: a send to another rank": {
			func(l *Layer) {
				r := send()
				r.Peer = 2
				l.Start(r, false)
			},
			header.Header{Kind: header.Undeliverable, SendID: 1},
		},
		"to return as undeliverable: a receive": {
			func(l *Layer) {
				r := &rpi.Request{Op: rpi.OpRecv, Peer: 1, Type: 1, Elem: 1, Buf: make([]byte, 16)}
				l.Start(r, false)
				_, err := l.Arrive(1, &header.Header{Kind: header.RTS, SendID: 1, Length: 16, ElemSize: 1, Type: 1})
				require.NoError(t, err)
			},
			header.Header{Kind: header.Undeliverable, SendID: 1},
		},
		"to return as undeliverable: a send that waits for credit": {withoutCredit, header.Header{Kind: header.Undeliverable, SendID: 1}},
		"to acknowledge a send that waits for credit":              {withoutCredit, header.Header{Kind: header.Ack, SendID: 1}},
		"to announce one of many messages that come in order": {
			func(l *Layer) {
				l.StopReceiving()
				_, err := l.Arrive(1, &header.Header{Kind: header.Held})
				require.NoError(t, err)
			},
			header.Header{Kind: header.RTS, Context: rpi.InOrder, SendID: 1, Answer: header.ToAnyContext},
		},
		"to say more after its farewell": {
			func(l *Layer) {
				_, err := l.Arrive(1, &header.Header{Kind: header.Bye})
				require.NoError(t, err)
			},
			eager,
		},
	} {
		t.Run(name, func(t *testing.T) {
			l := New(rpi.Config{Size: 3}.WithDefaults(), monitor.New(nil), InOneOrder, nil)
			c.before(l)
			_, err := l.Arrive(1, &c.frame)
			require.ErrorContains(t, err, "rank 1 of the job broke the protocol")
		})
	}
}

// An answer may be here before the system call returns that sent the message: the send ends with that,
// as the frame still refers to the program's memory.
func TestAnAnswerMayComeBeforeItsFrameIsBack(t *testing.T) {
	for _, kind := range []header.Kind{header.Ack, header.Retracted, header.Undeliverable} {
		t.Run(kind.String(), func(t *testing.T) {
			l := taker{Layer: New(rpi.Config{Size: 2}.WithDefaults(), monitor.New(nil), InOneOrder, nil)}
			r := &rpi.Request{Op: rpi.OpSend, Mode: rpi.Synchronous, Peer: 1, Type: 1, Elem: 1, Buf: make([]byte, 16)}
			l.Start(r, false)
			l.frames()[0].Started = true
			l.Cancel(r)

			_, err := l.Arrive(1, &header.Header{Kind: kind, SendID: 1})
			require.NoError(t, err)
			require.False(t, r.Completed(), "the frame has its body")
			l.Cancel(r) // which is late

			l.Sent(l.frames()[0])
			require.True(t, r.Completed())
			require.Equal(t, kind == header.Undeliverable, r.Err != nil)
			require.Equal(t, kind == header.Retracted, r.Status.Cancelled)
			require.Len(t, l.frames(), 2, "the message and one Retract")
		})
	}
}
