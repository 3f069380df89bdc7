package progression

import (
	"github.com/sctpmpi/sctpmpi/internal/header"
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// frame is a frame of rank 1: the fields of its envelope that matter.
type frame = header.Header

// does is what rank 0 does, while no frame comes.
type does byte

const (
	receives           = does(starts | byte(rpi.OpRecv)<<opBits | byte(rpi.Buffered)<<modeBits)
	sendsSynchronously = does(starts | byte(rpi.OpSend)<<opBits | byte(rpi.Synchronous)<<modeBits)
	stopsReceiving     = does(stops)
)

// hostileScripts are what FuzzHostilePeer begins with.
var hostileScripts = []struct {
	name  string
	steps []any // frame or does
}{
	{"a message that nothing expects", []any{short()}},
	{"one more, which is announced", []any{short(), frame{Kind: header.RTS, Seq: 1, Length: 100, ElemSize: 1, Type: 1, SendID: 1}}},
	{"answers to nothing", []any{frame{Kind: header.CTS, SendID: 1, RecvID: 1}, frame{Kind: header.Ack, SendID: 1}}},
	{"a body that was not asked for, in two pieces", []any{
		frame{Kind: header.Body, RecvID: 1, Length: 50}, frame{Kind: header.Body, RecvID: 1, Offset: 50, Length: 50},
	}},
	{"a retraction of nothing, and credit", []any{frame{Kind: header.Retracted, SendID: 2}, frame{Kind: header.Credit, Length: 300}}},
	{"an end amid a retraction", []any{
		frame{Kind: header.Retract, SendID: 1}, frame{Kind: header.Void, Seq: 3}, frame{Kind: header.Bye},
	}},
	{"a body for a message that came with its own", []any{receives, short(), frame{Kind: header.Body, RecvID: 1, Length: 16}}},
	{"the same in two pieces", []any{
		receives, short(), frame{Kind: header.Body, RecvID: 1, Length: 10}, frame{Kind: header.Body, RecvID: 1, Offset: 10, Length: 6},
	}},
	{"a message that is held, and comes for its tag", []any{
		receives, frame{Kind: header.Held, Tag: 1},
		frame{Kind: header.RTS, Answer: header.ToTag, SendID: 1, Length: 4, ElemSize: 1, Type: 1},
	}},
	{"a demand of any tag, and that there is none", []any{
		frame{Kind: header.Demand, Tag: matching.AnyTag}, frame{Kind: header.None, Tag: matching.AnyTag},
	}},
	{"a message that is held, and comes when rank 0 receives no more", []any{
		frame{Kind: header.Held, Tag: 1}, stopsReceiving,
		short(func(f *frame) { f.Kind, f.Answer, f.SendID = header.RTS, header.ToAnyContext, 1 }),
		frame{Kind: header.None, Context: header.AnyContext, Tag: matching.AnyTag},
	}},
	{"a synchronous message when rank 0 receives no more", []any{
		receives, stopsReceiving, short(func(f *frame) { f.Sync, f.SendID, f.Tag = true, 2, 1 }), short(),
	}},
	{"a send of rank 0 that is refused", []any{sendsSynchronously, frame{Kind: header.Undeliverable, SendID: 1}}},
	{"a demand in any context", []any{frame{Kind: header.Demand, Context: header.AnyContext, Tag: matching.AnyTag}}},
	{"credit of no bytes, rationed", []any{frame{Kind: header.Credit, Rationed: true}}},
	{"rations", []any{
		short(func(f *frame) { f.Rationed = true }), receives, frame{Kind: header.Credit, Length: 300, Rationed: true},
	}},
}

// short is the frame of a message with its body, with other fields too.
func short(vary ...func(*frame)) frame {
	f := frame{Kind: header.Eager, Length: 16, ElemSize: 1, Type: 1}
	for _, v := range vary {
		v(&f)
	}
	return f
}

// script is steps as playHostile reads them: stepBytes for each.
func script(steps []any) (b []byte) {
	for i, step := range steps {
		switch s := step.(type) {
		case frame:
			b = append(b, byte(i), byte(i)) // each on another stream
			b = header.Append(b, &s)
		case does:
			b = append(b, byte(s), 0)
			b = append(b, make([]byte, header.Size)...) // no frame
		}
	}
	return b
}
