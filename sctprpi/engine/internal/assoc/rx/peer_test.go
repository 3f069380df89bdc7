package rx

import (
	"math/rand/v2"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// peer is a sender that keeps to the rules, and the network, which does not.
type peer struct {
	r            *rand.Rand
	interleaving bool
	chunks       []*sent // by TSN, from 0
	messages     []*outgoing
}

// outgoing is a message that the peer sends.
type outgoing struct {
	stream    socket.StreamID
	unordered bool
	seq       wire.MID // its place in the order of its stream
	data      []byte
	rest      []byte // not yet in chunks
	fsn       wire.FSN
	abandoned bool
}

// sent is a chunk of it.
type sent struct {
	message *outgoing
	flags   wire.DataFlags
	fsn     wire.FSN
	payload []byte
}

// lane numbers the messages that share an order.
func (m *outgoing) lane() int {
	if m.unordered {
		return -1 - int(m.stream)
	}
	return int(m.stream)
}

// newPeer has n messages of random sizes for some streams, made into chunks. Their
// numbers start at those of first by lane.
func newPeer(r *rand.Rand, interleaving bool, streams, n, maxChunk int, first func(lane int) wire.MID) *peer {
	p := &peer{r: r, interleaving: interleaving}
	queues := map[int][]*outgoing{}
	for range n {
		m := &outgoing{stream: socket.StreamID(r.IntN(streams)), unordered: r.IntN(3) == 0}
		m.data = make([]byte, 1+r.IntN(maxChunk))
		if r.IntN(3) == 0 {
			m.data = make([]byte, 1+r.IntN(10*maxChunk))
		}
		for i := range m.data {
			m.data[i] = byte(r.Uint32())
		}
		m.rest = m.data
		lane := m.lane()
		m.seq = first(lane) + wire.MID(len(queues[lane]))
		queues[lane] = append(queues[lane], m)
		p.messages = append(p.messages, m)
	}
	var current *outgoing
	for left := n; left > 0; {
		lane := r.IntN(2*streams) - streams
		if current == nil || interleaving {
			if len(queues[lane]) == 0 {
				continue
			}
			current = queues[lane][0]
		}
		if p.cut(current, maxChunk); len(current.rest) == 0 {
			lane = current.lane()
			queues[lane] = queues[lane][1:]
			current = nil
			left--
		}
	}
	return p
}

// cut makes the next chunk of a message.
func (p *peer) cut(m *outgoing, maxChunk int) {
	c := &sent{message: m, fsn: m.fsn}
	n := min(1+p.r.IntN(maxChunk), len(m.rest))
	c.payload, m.rest = m.rest[:n], m.rest[n:]
	if m.fsn == 0 {
		c.flags |= B
	}
	if len(m.rest) == 0 {
		c.flags |= E
	}
	if m.unordered {
		c.flags |= U
	}
	m.fsn++
	p.chunks = append(p.chunks, c)
}

// send offers a chunk.
func (p *peer) send(r *rig, n int) error {
	c := p.chunks[n]
	return r.offer(func(b socket.Memory) error {
		if p.interleaving {
			d := wire.IData{
				Flags: c.flags, TSN: tsnOf(n), Stream: c.message.stream, MID: c.message.seq, FSN: c.fsn, Payload: c.payload,
			}
			if c.fsn == 0 {
				d.PPID = 7
			}
			return r.IData(&d, b)
		}
		return r.Data(&wire.Data{
			Flags: c.flags, TSN: tsnOf(n), Stream: c.message.stream, SSN: wire.SSN(c.message.seq), PPID: 7, Payload: c.payload,
		}, b)
	})
}

// forward sends a FORWARD TSN if the chunks after the cumulative one have been
// abandoned (RFC 3758, section 3.5).
func (p *peer) forward(r *rig, tracker *Tracker) error {
	cumulative := tracker.CumulativeTSN().Sub(tsnOf(0))
	to := cumulative
	skipped := map[int]wire.MID{}
	for to+1 < len(p.chunks) && p.chunks[to+1].message.abandoned {
		to++
		m := p.chunks[to].message
		if last, any := skipped[m.lane()]; !any || last.Less(m.seq) {
			skipped[m.lane()] = m.seq
		}
	}
	if to == cumulative {
		return nil
	}
	if _, err := tracker.Forward(tsnOf(to)); err != nil {
		return err
	}
	f := wire.ForwardTSN{CumulativeTSN: tsnOf(to)}
	i := wire.IForwardTSN{CumulativeTSN: tsnOf(to)}
	for lane := range 2 * r.streams.Len() {
		lane -= r.streams.Len()
		seq, any := skipped[lane]
		switch {
		case any && lane >= 0:
			f.Skipped = f.Skipped.Append(wire.SkippedSSN{Stream: socket.StreamID(lane), SSN: wire.SSN(seq)})
			i.Skipped = i.Skipped.Append(wire.SkippedMID{Stream: socket.StreamID(lane), MID: seq})
		case any:
			i.Skipped = i.Skipped.Append(wire.SkippedMID{Stream: socket.StreamID(-1 - lane), Unordered: true, MID: seq})
		}
	}
	if p.interleaving {
		return r.IForwardTSN(&i)
	}
	return r.ForwardTSN(&f)
}
