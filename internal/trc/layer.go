package trc

import (
	"fmt"

	"github.com/sctpmpi/sctpmpi/internal/operations"
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Carrier is a transport whose channels carry the messages of TRCs, one channel those of one TRC. A Layer calls its
// methods while the transport holds its lock. They note what is to be done; the transport does it later.
type Carrier interface {
	// Open is called for a new Outgoing: the carrier sets its Channel.
	Open(o *Outgoing)
	// Send notes that there is something to do for a channel: messages to be sent, or none any more.
	Send(o *Outgoing)
	// Dismiss has a channel given up as soon as it is idle.
	Dismiss(o *Outgoing)
	// Read notes that a channel is to be read: see Incoming.Hungry.
	Read(c *Incoming)
	// Tell sends a note to a peer that is not gone.
	Tell(peer matching.Rank, n Note)
	// Hear takes in a note for carriers. An error means that the peer broke the protocol.
	Hear(p *Peer, n Note) error
	// Reach makes sure that there is, or will be, a connection with a peer, so that its failure is noticed.
	Reach(peer matching.Rank)
	// Connected reports whether there is a connection with a peer. Moving reports whether the messages of a channel
	// can leave.
	Connected(peer matching.Rank) bool
	Moving(o *Outgoing) bool
}

// Layer has the open operations of a process, and the messages that have begun to arrive.
type Layer struct {
	table
	carrier Carrier
	peers   []Peer
	slots   int
	open    map[matching.Context]*List[Outgoing]
	in      map[matching.Context]*List[Incoming]
	corked  []*Incoming   // whose head a matched probe has taken
	closing bool          // see StartClosing
	final   *rpi.Snapshot // what there was in the end
	// clearing are channels that their senders need; aside counts the messages that have been put aside: see Clear.
	clearing List[Incoming]
	aside    int
	short    int // peers whose TRCs wait for channels: see Short

	frames   *Frame   // free list
	messages *message // free list
}

// table has what the layer does as all transports do.
type table = operations.Table

// Peer is what the layer knows of another process.
type Peer struct {
	Rank matching.Rank
	Out  map[Key]*Outgoing // with a channel, or messages that wait for one
	In   map[Key]*Incoming
	uses map[matching.Context]*uses
	// slots are those of In that collective operations share, by context and slot.
	slots map[matching.Context][]*Incoming
	Busy  int // of Out, those with messages that have not left
	// unnamed counts the channels from it that have been vacated.
	unnamed int
	// recent is the one of Out that was last used, nil if it has been removed.
	recent *Outgoing
	// short: TRCs from it wait for channels. asked is what it has been told since then that operations wait for: see ask.
	short bool
	asked map[Key]matching.Seq

	// Dead: it is gone and did not say farewell. Parted: this process has said farewell to it, and tells it no more.
	Dead, Parted bool

	// lost are the first messages that are lost, by sequence number: see dropBehind.
	lost map[matching.Context]matching.Seq
	// retracted are messages that the peer wants back and that have not been read yet, at most MaxRetracted.
	retracted map[place]struct{}
	// postponed are channels whose heads wait for gaps to become fewer, by sequence number.
	postponed map[matching.Context][]*Incoming
}

// New returns the layer of a process. Defaults of cfg must be filled in. The messages of collective operations, in
// contexts with rpi.InOrder, share so many slots, at most header.MaxSlots: each slot is a TRC. See uses.
func New(cfg rpi.Config, c Carrier, slots int) *Layer {
	l := &Layer{carrier: c, peers: make([]Peer, cfg.Size), slots: slots, open: make(map[matching.Context]*List[Outgoing]),
		in: make(map[matching.Context]*List[Incoming])}
	l.table = operations.New(cfg, (*inside)(l))
	l.Match.Gaps = MaxGaps
	for rank := range l.peers {
		l.peers[rank].Rank = matching.Rank(rank)
	}
	return l
}

// Peer returns what is known of a process.
func (l *Layer) Peer(rank matching.Rank) *Peer { return &l.peers[rank] }

// Key names a TRC among those of a peer.
type Key struct {
	Context matching.Context
	Tag     matching.Tag // the slot in a context with rpi.InOrder
}

// Valid reports whether there can be a TRC with that key.
func (l *Layer) Valid(k Key) bool { return k.Tag >= 0 && (!shared(k.Context) || int(k.Tag) < l.slots) }

func (k Key) String() string {
	if shared(k.Context) {
		return fmt.Sprintf("slot %d of context %#x", k.Tag, uint64(k.Context))
	}
	return fmt.Sprintf("tag %d in context %#x", k.Tag, uint64(k.Context))
}

// covers reports whether the channel for k may carry what a receive in c with that tag takes.
func (k Key) covers(c matching.Context, tag matching.Tag) bool {
	return k.Context&^apart == c && (tag == matching.AnyTag || shared(k.Context) || k.Tag == tag)
}

// Start starts r.
func (l *Layer) Start(r *rpi.Request, _ bool) {
	switch {
	case l.Closed:
		r.Complete(operations.ErrClosed(r))
	case l.Refused(r):
	case r.Op == rpi.OpSend:
		l.send(r)
	default:
		l.StartReceive(r)
	}
}

// Cancel cancels r if that is still possible.
func (l *Layer) Cancel(r *rpi.Request) {
	switch {
	case r.Completed():
	case r.Op == rpi.OpSend:
		l.cancelSend(r)
	default:
		l.CancelReceive(r)
	}
}

// Release forgets a context. Its channels are given up.
func (l *Layer) Release(c matching.Context) {
	for m := range l.Match.MessagesIn(c) {
		if own, ok := m.Owner.(*message); ok && l.Match.Take(m) {
			l.discard(own)
		}
	}
	l.forgetPostponed(c)
	l.Forget(c)
	for i := range l.peers {
		delete(l.peers[i].uses, c)
		delete(l.peers[i].lost, c)
	}
	if open := l.open[c]; open != nil {
		for o := range open.All() {
			l.carrier.Dismiss(o)
		}
	}
}

// Violation is the error for a peer that breaks the protocol.
func Violation(format string, args ...any) error {
	return fmt.Errorf("%w: it broke the protocol: %s", rpi.ErrIntern, fmt.Sprintf(format, args...))
}
