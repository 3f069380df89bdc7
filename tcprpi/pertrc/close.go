package pertrc

import (
	"context"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/monitor"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/trc"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/socket"
)

// Close implements rpi.Transport: it sends what is queued, ends the
// connections of all TRCs, says farewell to every peer that there is a control
// connection with, and waits for the farewell of each.
func (t *Transport) Close(ctx context.Context) error {
	defer monitor.WakeAtEnd(ctx, t.changed)()
	defer t.driver.Serve()()
	t.lock.Lock()
	if t.state != running {
		t.lock.Unlock()
		return nil
	}
	t.state = closing
	var missed []matching.Rank
	for missed = t.unparted(); len(missed) > 0 && ctx.Err() == nil && t.state == closing; missed = t.unparted() {
		if len(t.tasks.all) > 0 || len(t.toClose) > 0 {
			t.work()
			continue
		}
		t.changed.Wait()
	}
	t.lock.Unlock()
	t.Kill()
	if err := ctx.Err(); err != nil && len(missed) > 0 {
		return &rpi.PartingError{Peers: missed, Cause: err}
	}
	return nil
}

// unparted takes the leave-taking from each peer as far as it goes, and returns
// those with which it is not complete.
func (t *Transport) unparted() (peers []matching.Rank) {
	for i := range t.peers {
		if p := &t.peers[i]; !t.partedFrom(p) {
			peers = append(peers, p.Rank)
		}
	}
	return peers
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
		t.notify(p, trc.Note{Kind: trc.Bye})
		p.Parted = true
	}
	c := p.control
	if len(p.Out) > 0 || len(p.outbox) > 0 || len(c.out) > 0 || c.Sending() {
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
	t.lock.Lock()
	if t.state == killed {
		t.lock.Unlock()
		return
	}
	t.state, t.layer.Closed = killed, true
	t.changed.Broadcast()
	t.lock.Leave()

	// A goroutine that handles events may be filling a request's buffer. It must have ended before
	// any request is completed.
	t.cancel()
	t.driver.Close()
	socket.Release(t.listener, t.watcher)
	if t.cfg.Size > 1 {
		sharers.Add(-1)
	}
	t.background.Wait()
	t.progress.Lock()
	defer t.progress.Unlock()
	t.lock.Lock()
	defer t.lock.Unlock()
	for t.calls > 0 { // of goroutines that start requests; they are short
		t.changed.Wait()
	}
	s := t.layer.Pending()
	s.Sort()
	t.final = &s
	for i := range t.peers {
		t.abandon(&t.peers[i])
	}
	t.layer.Close()
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
			c.fd, c.ended = -1, true
		}
	}
}
