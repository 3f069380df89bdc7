package pertrc

import (
	"context"

	"github.com/sctpmpi/sctpmpi/internal/trc"
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/socket"
)

// Close implements rpi.Transport: it sends what is queued, ends the
// connections of all TRCs, says farewell to every peer that there is a control
// connection with, and waits for the farewell of each.
func (t *Transport) Close(ctx context.Context) error {
	defer t.driver.Serve()()
	return t.life.Close(ctx, nil, t.unparted, t.Kill)
}

// unparted takes the leave-taking from each peer as far as it goes, and returns
// those with which it is not complete.
func (t *Transport) unparted() (peers []matching.Rank, done bool) {
	for i := range t.peers {
		if p := &t.peers[i]; !t.partedFrom(p) {
			peers = append(peers, p.Rank)
		}
	}
	return peers, len(peers) == 0
}

func (t *Transport) partedFrom(p *peer) bool {
	switch {
	case p.Dead || !p.contacted() && p.Busy == 0:
		return true
	case p.control == nil || p.Busy > 0:
		return false
	}
	if !p.Parted {
		for o := range p.outgoing() {
			t.dismiss(o) // its end precedes the farewell
		}
		t.layer.Tell(p.Peer, trc.Note{Kind: trc.Bye})
		p.Parted = true
	}
	c := p.control
	unsaid := len(p.outbox) > 0 || len(c.out) > 0
	unheard := c.broken && c.ended // the peer is done, and hears no more
	if len(p.Out) > 0 || unsaid && !unheard || c.Sending() {
		return false
	}
	all := true
	for _, c := range p.controls {
		if !c.shut {
			c.shut = true
			socket.Shutdown(c.fd)
		}
		all = all && c.ended
	}
	return all && !p.arriving()
}

// arriving reports whether messages of the peer may still arrive: on a connection of which neither
// the next envelope nor the end has been read. The peer ended all of them before its farewell, but
// that came on another one.
func (p *peer) arriving() bool {
	for _, c := range p.In {
		if c.Hungry() {
			return true
		}
	}
	return p.spare.First() != nil
}

// Kill implements rpi.Transport.
func (t *Transport) Kill() {
	t.life.Kill(t.stop, func() {
		t.layer.Closed = true
		for t.calls > 0 { // of goroutines that start requests; they are short
			t.life.Wait()
		}
		t.layer.Close(func() {
			for i := range t.peers {
				t.abandon(&t.peers[i])
			}
		})
		t.work() // closes sockets
	})
}

// stop ends the event loop.
func (t *Transport) stop() {
	t.driver.Close()
	socket.Release(t.listener, t.watcher)
	if t.cfg.Size > 1 {
		sharers.Add(-1)
	}
}

// abandon drops the connections with a peer.
func (t *Transport) abandon(p *peer) {
	for o := range p.outgoing() {
		t.layer.Drop(o.Outgoing, nil)
		if o.phase == connected {
			t.closeLater(o.fd, o.token)
		}
		if o.patience != nil {
			o.patience.Stop()
		}
		o.phase = ended
	}
	for c := range p.incoming() {
		for in := &c.Incoming; in != nil; {
			own := in.Channel.(*incoming)
			if in = t.layer.End(in); own.fd >= 0 {
				t.closeLater(own.fd, own.token)
				own.fd = -1
			}
		}
	}
	for c := range p.spare.All() {
		t.closeLater(c.fd, c.token)
		c.fd = -1
		t.unlink(c)
	}
	for _, c := range p.controls {
		if c.fd >= 0 {
			t.closeLater(c.fd, c.token)
			c.fd = -1
			c.end()
		}
	}
}
