package assoc

import (
	"math/rand/v2"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/assoc/rx"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/assoc/tx"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/cookie"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

func (h *Host) txConfig() tx.Config {
	c := &h.Config
	return tx.Config{
		Scheduler: c.Scheduler, SendBuffer: c.SendBuffer,
		Copy:          h.copyMessage,
		MaxAckDelay:   maxAckDelay,
		RTO:           tx.RTOConfig{Initial: c.RTOInitial, Min: c.RTOMin, Max: c.RTOMax},
		NewController: func(maxChunk int) tx.Controller { return controllers[c.Congestion](maxChunk, h.Random) },
	}
}

// controllers make the congestion control of a path.
var controllers = [...]func(maxChunk int, random *rand.Rand) tx.Controller{
	socket.Cubic:    func(maxChunk int, _ *rand.Rand) tx.Controller { return tx.NewCubic(maxChunk) },
	socket.NewReno:  func(maxChunk int, _ *rand.Rand) tx.Controller { return tx.NewNewReno(maxChunk) },
	socket.BBR:      tx.NewBBR,
	socket.BBRDraft: tx.NewBBRDraft,
}

// maxAckDelay is what a peer is taken to delay acknowledgements by at most, for
// tail-loss probes: one that delays longer, as RFC 9260 allows, gets a probe more.
const maxAckDelay = rx.DefaultAckDelay / 8

func (h *Host) ackPolicy() rx.AckPolicy {
	return rx.AckPolicy{Delay: h.Config.AckDelay, Every: h.Config.AckEvery}
}

func (h *Host) rxConfig() rx.Config {
	c := &h.Config
	return rx.Config{
		Whole: c.WholeMessages, Buffer: c.UnauthenticatedBuffer,
		StreamLimit: min(c.StreamLimit, wire.MaxStreamLimit), StreamBase: c.StreamBase, StreamPool: c.StreamPool,
	}
}

// halves makes the sending and the receiving half. Config has been resolved, so
// there is nothing in it to refuse, nor in what has been negotiated.
func (a *Association) halves(st *cookie.State) (*tx.Sender, *rx.Tracker, *rx.Reassembly) {
	interleaving := st.Features.Has(cookie.Interleaving)
	out := a.host.txConfig()
	out.InitialTSN, out.Streams, out.PeerWindow = a.initialTSN, int(st.Outbound), st.PeerWindow
	out.Interleaving, out.StreamLimit = interleaving, st.StreamLimit
	out.Multipath, out.ECN = st.Features.Has(cookie.Multipath), st.Features.Has(cookie.ECN)
	sender, err := tx.New(out)
	if err != nil {
		panic(err)
	}
	tracker, err := rx.NewTracker(st.PeerTSN, a.host.ackPolicy())
	if err != nil {
		panic(err)
	}
	if out.Multipath {
		tracker.ShowEnds()
	}
	in := a.host.rxConfig()
	in.InitialTSN, in.Streams, in.Interleaving = st.PeerTSN, int(st.Inbound), interleaving
	in.PartialReliability = st.Features.Has(cookie.PartialReliability)
	in.Credit = st.Features.Has(cookie.StreamCredit)
	reassembly, err := rx.New(in)
	if err != nil {
		panic(err)
	}
	return sender, tracker, reassembly
}
