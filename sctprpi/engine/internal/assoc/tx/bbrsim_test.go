package tx

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// observed is a BBR control that notes each state that it enters.
type observed struct {
	*BBR
	entered []bbrEntry
}

// bbrEntry is a state with what there was when it was entered: in flight, as of the SACK.
type bbrEntry struct {
	state  bbrState
	at     time.Duration
	flight int
	bdp    int
}

func (o *observed) note(flight int) {
	if last := len(o.entered) - 1; last < 0 || o.entered[last].state != o.state {
		o.entered = append(o.entered, bbrEntry{o.state, o.now, flight, o.model.bdp(1, 0)})
	}
}

func (o *observed) Delivered(d Delivery) bool {
	limited := o.BBR.Delivered(d)
	o.note(d.Flight)
	return limited
}

func (o *observed) Missing(x Loss) {
	o.BBR.Missing(x)
	o.note(0)
}

// states are those entered, in order.
func (o *observed) states() (all []bbrState) {
	for _, e := range o.entered {
		all = append(all, e.state)
	}
	return all
}

// bbrSim is a transfer by BBR that never ends.
type bbrSim struct {
	*sim
	control *observed
	queued  int
	// burst is how many messages are queued at a time, and pause how long it takes until the next: 0 is without end.
	burst int
	data  [][]byte
	pause time.Duration
	next  time.Duration
}

const bbrTestChunk = 1452

func newBBRSim(t *testing.T, l link, judge bbrJudge) *bbrSim {
	b := &bbrSim{control: &observed{}, burst: 1 << 30, data: [][]byte{make([]byte, 64<<10)}}
	b.sim = newSim(t, 1, Config{
		InitialTSN: 1, Streams: 1, PeerWindow: 1 << 30,
		NewController: func(maxChunk int) Controller {
			b.control.BBR = newBBR(maxChunk, rand.New(rand.NewPCG(1, 2)), judge)
			return b.control
		},
	}, 1, bbrTestChunk, l)
	b.checkEvery = 1000
	b.control.note(0)
	return b
}

// fill queues what is to be sent.
func (b *bbrSim) fill() {
	if b.now < b.next {
		return
	}
	for range b.burst {
		if b.sender.Queue(b.now, &socket.Message{Data: b.data, Owner: b.queued}) != nil {
			break
		}
		b.queued++
	}
	if b.pause > 0 {
		b.next = b.now + b.pause
		b.after(b.pause, func() {})
	}
}

// until goes on until something is so, for ten minutes at most.
func (b *bbrSim) until(what string, so func() bool) {
	b.t.Helper()
	for limit := b.now + 10*time.Minute; !so(); {
		require.Less(b.t, b.now, limit, what)
		b.fill()
		require.True(b.t, b.step(), what)
		clear(b.peer.got)
		clear(b.released)
	}
}

// run goes on for a while.
func (b *bbrSim) run(d time.Duration) {
	b.t.Helper()
	end := b.now + d
	b.after(d, func() {})
	b.until("time passes", func() bool { return b.now >= end })
}

// enters goes on until a state is entered.
func (b *bbrSim) enters(state bbrState) bbrEntry {
	b.t.Helper()
	before := len(b.control.entered)
	b.until("a state is entered", func() bool { return len(b.control.entered) > before && b.control.state == state })
	return b.control.entered[len(b.control.entered)-1]
}

// rateOver goes on for a while, and returns what the transfer has reached, in Mbit/s.
func (b *bbrSim) rateOver(d time.Duration) float64 {
	before := b.sender.Stats().Bytes
	b.run(d)
	return float64(b.sender.Stats().Bytes-before) * 8 / d.Seconds() / 1e6
}

// broad is a path of 20 Mbit/s and 20 ms with a queue of two bandwidth-delay products.
var broad = link{delay: 10 * ms, rate: 20e6 / 8, queue: 2 * 20e6 / 8 * 20 / 1000}
