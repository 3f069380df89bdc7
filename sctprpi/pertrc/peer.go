package pertrc

import (
	"github.com/sctpmpi/sctpmpi/internal/trc"
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/monitor"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/associations"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// peer is what this process knows of another.
type peer struct {
	*associations.Peer
	trcs *trc.Peer

	// active: in Transport.active. held: in Transport.waiting; count is how many messages have waited there.
	active, held bool
	count        int
	needed       bool // a connection with it is needed

	// notes are to be sent on stream 0. notesFull: the socket takes none now.
	notes     []byte
	notesFull bool
	// ready are the streams with messages that the socket does not have; full those of which it takes no more now.
	ready, full  trc.List[outgoing]
	monitor.Flow     // to the socket
	lent         int // zero-copy sends that the socket has

	// out are the streams to the peer, by number: of those from next on none has been used, those of free were
	// given up.
	out  []*outgoing
	next int
	free []socket.StreamID
	idle trc.List[outgoing]
	waits

	// in are the streams from the peer that have been used. recent is the last of them that was, nil if it is over.
	in      map[socket.StreamID]*incoming
	recent  *incoming
	partial []byte // of a note
}

// peer returns what is known of another process.
func (t *Transport) peer(rank matching.Rank) *peer {
	p := t.peers[rank]
	if p == nil {
		p = &peer{Peer: t.Peer(rank), trcs: t.layer.Peer(rank), in: make(map[socket.StreamID]*incoming)}
		t.peers[rank] = p
	}
	return p
}

// activate has work look at a peer.
func (t *Transport) activate(p *peer) {
	if !p.active {
		p.active = true
		t.active = append(t.active, p)
	}
}

// carrier is the transport as its layer sees it.
type carrier struct{ *Transport }

// Open implements trc.Carrier.
func (t carrier) Open(o *trc.Outgoing) {
	o.Channel = &outgoing{Outgoing: o, peer: t.peer(o.Peer.Rank)}
}

// Send implements trc.Carrier.
func (t carrier) Send(o *trc.Outgoing) {
	own := o.Channel.(*outgoing)
	t.offer(own)
	p := own.peer
	if t.more && p.count < maxWaiting {
		p.count++
		if !p.held {
			p.held = true
			t.Transport.waiting = append(t.Transport.waiting, p)
		}
		return
	}
	p.count = 0
	t.activate(p)
}

// maxWaiting is how many short messages to a peer wait for others until they leave together.
const maxWaiting = 31

// Dismiss implements trc.Carrier: an idle stream costs nothing.
func (t carrier) Dismiss(*trc.Outgoing) {}

// Read implements trc.Carrier.
func (t carrier) Read(c *trc.Incoming) { t.read(c.Channel.(*incoming)) }

// maxNotes bounds the notes, in bytes, that wait for a peer that does not take them. Beyond it the peer is failed.
const maxNotes = 16 << 20

// Tell implements trc.Carrier.
func (t carrier) Tell(to matching.Rank, n trc.Note) {
	p := t.peer(to)
	if len(p.notes) > maxNotes {
		return // it is about to be failed
	}
	if p.notes = n.Append(p.notes); len(p.notes) > maxNotes {
		t.Breach(p.Peer, trc.Violation("it does not take what it is told"))
	}
	t.activate(p)
}

// Reach implements trc.Carrier.
func (t carrier) Reach(to matching.Rank) {
	if p := t.peer(to); !p.needed && to != t.layer.Self {
		p.needed = true
		t.activate(p)
	}
}

// Connected implements trc.Carrier.
func (t carrier) Connected(to matching.Rank) bool {
	p := t.peers[to]
	return p != nil && (p.Open() || p.Gone())
}

// Moving implements trc.Carrier.
func (t carrier) Moving(o *trc.Outgoing) bool {
	own := o.Channel.(*outgoing)
	return own.peer.Open() && own.stream != 0
}
