package progression

import (
	"bytes"
	"math/rand/v2"
	"slices"

	"github.com/sctpmpi/sctpmpi/internal/header"
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/monitor"
)

// network joins layers without I/O, goroutines or time. It promises no more order than ByTRC:
// each TRC has a stream of its own, or each context that has rpi.InOrder. Streams overtake each
// other at random, and the body of a frame takes a while to arrive.
type network struct {
	rng     *rand.Rand
	layers  []*Layer
	streams []*stream // that have something to carry
	peak    []int64   // most eager bytes unmatched, by receiver
}

// stream is an ordered flow of frames from one rank to another.
type stream struct {
	from, to matching.Rank
	flow     flow
	frames   []*Frame
	rest     []byte // of the frame that is arriving
	sink     *Sink  // of a body that is arriving
}

// flow tells the streams between two ranks apart: control frames share one.
type flow struct {
	context matching.Context
	tag     matching.Tag
	body    uint32
}

func newNetwork(seed uint64, size int, cfg rpi.Config) *network {
	n := &network{rng: rand.New(rand.NewPCG(seed, 1)), peak: make([]int64, size)}
	for rank := range size {
		cfg.Rank, cfg.Size = rank, size
		n.layers = append(n.layers, New(cfg.WithDefaults(), monitor.New(nil), ByTRC, nil))
	}
	return n
}

// collect puts the frames that the layers have queued on the streams.
func (n *network) collect() {
	for from, l := range n.layers {
		for to := range l.peers {
			for f := l.peers[to].queue.Pop(); f != nil; f = l.peers[to].queue.Pop() {
				n.carry(matching.Rank(from), f)
			}
		}
	}
}

// carry puts a frame on its stream.
func (n *network) carry(from matching.Rank, f *Frame) {
	var env header.Header
	if err := header.Parse(&env, f.Header[:]); err != nil {
		panic(err)
	}
	fl := flow{context: 1 << 63}
	switch {
	case env.Kind.Matches() || env.Kind == header.Retract:
		fl = flow{context: env.Context}
		if env.Context&rpi.InOrder == 0 {
			fl.tag = env.Tag
		}
	case env.Kind == header.Body:
		fl.body = env.RecvID
	}
	for _, s := range n.streams {
		if s.from == from && s.to == f.Peer && s.flow == fl {
			s.frames = append(s.frames, f)
			return
		}
	}
	n.streams = append(n.streams, &stream{from: from, to: f.Peer, flow: fl, frames: []*Frame{f}})
}

// step moves one frame, or one body, and reports whether there was any.
func (n *network) step() bool {
	n.collect()
	if len(n.streams) == 0 {
		return false
	}
	s := n.streams[n.rng.IntN(len(n.streams))]
	to := n.layers[s.to]
	if s.sink != nil {
		to.Arrived(s.sink)
		s.sink = nil
	} else {
		n.deliver(s, to)
	}
	if len(s.frames) == 0 && len(s.rest) == 0 && s.sink == nil {
		i := slices.Index(n.streams, s)
		n.streams = slices.Delete(n.streams, i, i+1)
	}
	n.peak[s.to] = max(n.peak[s.to], to.peers[s.from].used)
	return true
}

// deliver takes the next frame off a stream. Those that share one arrive one by one.
func (n *network) deliver(s *stream, to *Layer) {
	if len(s.rest) == 0 {
		f := s.frames[0]
		s.frames = s.frames[1:]
		f.Started = true
		s.rest = append(bytes.Clone(f.Header[:]), f.Body...)
		n.layers[s.from].Sent(f)
	}
	var env header.Header
	if err := header.Parse(&env, s.rest); err != nil {
		panic(err)
	}
	s.rest = s.rest[header.Size:]
	if n.rng.IntN(2) == 0 && to.deliver(s.from, &env, s.rest, nil) {
		s.rest = s.rest[env.Length:]
		return
	}
	sink, err := to.Arrive(s.from, &env)
	if err != nil {
		panic(err)
	}
	if !sink.Pending() {
		return
	}
	size := int(sink.length)
	copy(sink.Buf, s.rest[:size])
	s.rest = s.rest[size:]
	s.sink = &sink
}
