package pertrc

import (
	"iter"

	"github.com/sctpmpi/sctpmpi/internal/trc"
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/heartbeat"
)

// peer is what this process knows of another.
type peer struct {
	*trc.Peer

	control   *control   // on which this process speaks
	controls  []*control // all that there are: one that either side made, or one of each
	dialing   bool       // this process is making one
	accepted  bool       // the peer has made one, or is about to have
	accepting bool       // and this process does not use it yet
	outbox    []byte     // notes for control
	beat      heartbeat.Peer

	farewell bool // it has said that it is done: what it has sent comes

	// kept are the connections to it whose contexts have been released; keeps is how many they are. after has the numbers of
	// connections that had another TRC first and have ended, unless the peer is known to have read of the change.
	kept  trc.List[outgoing]
	keeps int
	after map[trc.Key]uint32
	// spare are the connections from it that no TRC has.
	spare trc.List[incoming]

	failures failures // attempts to make connections to it
	// trying is the number of the attempt to make a control connection that is under way. cut: the peer has said that it has ended.
	trying uint32
	cut    bool
	// doubt is why a connection with it has ended. inquiring: it is asked whether it lives.
	doubt     error
	inquiring bool
	busyAt    bool // in the list of tasks
}

func (p *peer) listed() *bool { return &p.busyAt }

// outgoing lists the connections to the peer, or those that its messages wait for.
func (p *peer) outgoing() iter.Seq[*outgoing] {
	return func(yield func(*outgoing) bool) {
		for _, o := range p.Out {
			if !yield(o.Channel.(*outgoing)) {
				return
			}
		}
	}
}

// incoming lists the connections from the peer that are to be read.
func (p *peer) incoming() iter.Seq[*incoming] {
	return func(yield func(*incoming) bool) {
		for _, c := range p.In {
			if !yield(c.Channel.(*incoming)) {
				return
			}
		}
	}
}

// contacted reports whether there is a control connection with the peer, or one is being made by either side.
func (p *peer) contacted() bool { return p.control != nil || p.dialing || p.accepting }

// contact makes sure that there is, or will be, a control connection with a
// peer.
func (t *Transport) contact(p *peer) {
	if p.Rank != t.rank && p.control == nil && !p.dialing && t.failed(p) == nil && !t.life.Over {
		p.dialing = true
		t.life.Go(func() { t.dialControl(p) })
	}
}

// failed returns why a peer is gone, nil if it is not.
func (t *Transport) failed(p *peer) error { return t.layer.Failed(p.Rank) }

// carrier is the transport as its layer sees it.
type carrier struct{ *Transport }

// Open implements trc.Carrier.
func (t carrier) Open(o *trc.Outgoing) {
	o.Channel = &outgoing{Outgoing: o, peer: &t.peers[o.Peer.Rank], fd: -1}
}

// Send implements trc.Carrier.
func (t carrier) Send(o *trc.Outgoing) {
	own := o.Channel.(*outgoing)
	if o.Head() != nil {
		own.idle.Remove()
		own.unkeep()
	}
	t.attend(own)
}

// Dismiss implements trc.Carrier.
func (t carrier) Dismiss(o *trc.Outgoing) {
	if own := o.Channel.(*outgoing); o.Apart() {
		t.dismiss(own)
	} else {
		own.released = true
		t.attend(own)
	}
}

// Read implements trc.Carrier.
func (t carrier) Read(c *trc.Incoming) { t.goOn(c.Channel.(*incoming)) }

// Reach implements trc.Carrier.
func (t carrier) Reach(to matching.Rank) { t.contact(&t.peers[to]) }

// Connected implements trc.Carrier.
func (t carrier) Connected(to matching.Rank) bool { return t.peers[to].control != nil }

// Moving implements trc.Carrier.
func (t carrier) Moving(o *trc.Outgoing) bool { return o.Channel.(*outgoing).phase == connected }
