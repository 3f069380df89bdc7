package assoc

import (
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
)

// streamCredit handles a STREAM CREDIT chunk: the peer has read.
func (a *Association) streamCredit(now time.Duration, from int, c wire.Chunk) {
	if !a.state.Connected() {
		return
	}
	offsets, err := wire.ParseStreamOffsets(c)
	if err == nil {
		err = a.out.Granted(now, offsets)
	}
	if err != nil {
		a.fail(from, err)
	}
}

// streamBlocked handles a STREAM BLOCKED chunk: the peer waits.
func (a *Association) streamBlocked(from int, c wire.Chunk) {
	if !a.state.takesData() {
		return
	}
	offsets, err := wire.ParseStreamOffsets(c)
	if err == nil {
		err = a.in.Blocked(offsets)
	}
	if err != nil {
		a.fail(from, err)
	}
}

// queueCredits queues what the peer is to be told and asked about streams, as far as
// there is room. They go where new data goes. The rest, and what is lost, comes later.
func (a *Association) queueCredits() {
	if !a.terms.features.Has(featureCredit) {
		return
	}
	if a.state.takesData() && a.in.CreditDue() {
		a.queueOffsets(a.in.AppendCredits, wire.AppendStreamCredit)
	}
	if a.state.sendsData() && a.out.Asking() {
		a.queueOffsets(a.out.AppendAsking, wire.AppendStreamBlocked)
	}
}

func (a *Association) queueOffsets(take func(wire.StreamOffsets, int) wire.StreamOffsets, chunk func([]byte, wire.StreamOffsets) []byte) {
	i := a.dataPath()
	n := wire.StreamOffsetsRoom(a.paths[i].controlRoom() - len(a.paths[i].control))
	if n <= 0 {
		return
	}
	h := a.host
	h.offsets = take(h.offsets[:0], n)
	if len(h.offsets) > 0 {
		a.accompany(i, func(b []byte) []byte { return chunk(b, h.offsets) })
	}
}
