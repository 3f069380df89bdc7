package pertrc

import (
	"github.com/sctpmpi/sctpmpi/internal/trc"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/associations"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// user is the transport as its associations.Manager sees it.
type user struct{ *Transport }

// Accepted implements associations.User. Notes go before all messages.
func (t user) Accepted(a *associations.Peer) {
	p := t.peer(a.Rank)
	for _, c := range p.in { // of another association
		t.close(c)
	}
	p.partial = nil
}

// Opened implements associations.User.
func (t user) Opened(a *associations.Peer) { t.activate(t.peer(a.Rank)) }

// Data implements associations.User.
func (t user) Data(a *associations.Peer, e *socket.Event) error {
	p := t.peer(a.Rank)
	switch {
	case e.Unordered || e.Broken:
		return trc.Violation("a message unordered or given up")
	case !p.Interleaves():
		return trc.Violation("it does not interleave messages")
	case e.Stream == associations.Control:
		return t.hear(p, e.Payload)
	}
	return t.message(p, e)
}

// hear takes in notes.
func (t *Transport) hear(p *peer, b []byte) error {
	if len(p.partial) > 0 {
		b = append(p.partial, b...)
	}
	part, err := t.layer.Hear(p.trcs, b)
	p.partial = append(p.partial[:0], part...)
	return err
}

// Hear implements trc.Carrier.
func (t carrier) Hear(from *trc.Peer, n trc.Note) error {
	p := t.peer(from.Rank)
	switch n.Kind {
	case trc.Reclaim:
		if _, inbound := p.Streams(); n.ID == 0 || n.ID >= uint32(inbound) {
			return trc.Violation("it asks about stream %d of %d", n.ID, inbound)
		}
		c := t.incoming(p, socket.StreamID(n.ID))
		c.asked, c.count, c.Demanded = true, uint64(n.Seq), n.Tag == forDemand
		if t.taken(c); c.asked {
			t.layer.Clear(&c.Incoming)
		}
		return nil
	case trc.Drained:
		return t.drained(p, n)
	case trc.Short:
		return t.layer.Short(p.trcs, n)
	case trc.Want:
		t.want(p, n)
		return nil
	case trc.Ample:
		t.layer.Ample(p.trcs)
		return nil
	}
	return trc.Violation("note %d, which this transport has no use for", n.Kind)
}

// Handled implements associations.User.
func (t user) Handled() { t.putBack() }

// Writable implements associations.User.
func (t user) Writable(a *associations.Peer) { t.writable(t.peer(a.Rank)) }

// Released implements associations.User.
func (t user) Released(owner any, outcome socket.Outcome) { t.released(owner.(*lent), outcome) }

// Failed implements associations.User.
func (t user) Failed(a *associations.Peer, cause error) {
	p := t.peer(a.Rank)
	t.layer.Fail(p.trcs, cause, true)
	t.drop(p)
	for _, c := range p.in {
		if t.drain(c) != nil {
			c.release()
		}
		t.end(c)
	}
	t.layer.EndUnreachable()
}

// Closing implements associations.User: what is unread would keep peers from ending their associations.
func (t user) Closing() { t.layer.StartClosing() }

// Busy implements associations.User.
func (t user) Busy(a *associations.Peer) (queued, isLent bool) {
	p := t.peer(a.Rank)
	return p.queued(), p.lent > 0
}

// Release implements associations.User.
func (t user) Release() {
	t.lock.Lock()
	defer t.lock.Unlock()
	for _, p := range t.Transport.waiting {
		p.held, p.count = false, 0
		t.activate(p)
	}
	t.Transport.waiting = t.Transport.waiting[:0]
}

// Stop implements associations.User.
func (t user) Stop() {}

// Killed implements associations.User.
func (t user) Killed() {
	t.dropped = true
	t.layer.Close(func() {
		for _, p := range t.peers {
			if p == nil {
				continue
			}
			t.drop(p)
			for _, c := range p.in {
				t.close(c)
			}
		}
	})
}
