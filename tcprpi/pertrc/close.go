package pertrc

import (
	"context"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/driver"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/socket"
)

// Close implements rpi.Transport: it sends what is queued, ends the
// connections of all TRCs, says farewell to every peer that there is a control
// connection with, and waits for the farewell of each.
func (t *Transport) Close(ctx context.Context) error {
	defer driver.WakeAtEnd(ctx, t.changed)()
	defer t.driver.Serve()()
	t.mu.Lock()
	if t.state != running {
		t.mu.Unlock()
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
	t.mu.Unlock()
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
			peers = append(peers, p.rank)
		}
	}
	return peers
}

func (t *Transport) partedFrom(p *peer) bool {
	switch {
	case p.dead || p.control == nil && !p.dialing && p.busy == 0:
		return true
	case p.control == nil || p.busy > 0:
		return false
	}
	if !p.said {
		for _, o := range p.out {
			t.dismiss(o) // its end precedes the farewell
		}
		t.notify(p, note{kind: bye})
		p.said = true
	}
	c := p.control
	if len(p.out) > 0 || len(p.outbox) > 0 || len(c.out) > 0 || c.writing {
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
	for _, c := range p.in {
		if c.hungry() {
			return true
		}
	}
	return false
}

// Kill implements rpi.Transport.
func (t *Transport) Kill() {
	t.mu.Lock()
	if t.state == killed {
		t.mu.Unlock()
		return
	}
	t.state = killed
	t.changed.Broadcast()
	t.mu.Unlock()

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
	t.mu.Lock()
	defer t.mu.Unlock()
	defer t.work()
	for t.calls > 0 { // of goroutines that start requests; they are short
		t.changed.Wait()
	}
	s := t.snapshot()
	t.final = &s
	for i := range t.peers {
		t.abandon(&t.peers[i])
	}
	for rcv := range t.match.Receives() {
		if r := rcv.Owner.(*rpi.Request); t.match.Cancel(rcv) {
			r.Complete(errClosed(r))
		}
	}
	for rcv := t.match.Next(); rcv != nil; rcv = t.match.Next() { // which those stood before
		r := rcv.Owner.(*rpi.Request)
		r.Complete(errClosed(r))
	}
	for r := range t.requests.All() {
		t.finish(r, errClosed(r))
	}
	for m := range t.match.Messages() {
		if s := m.Owner.(*message).sender; s != nil {
			t.finish(s, errClosed(s))
		}
	}
	for _, r := range t.probes {
		r.Complete(errClosed(r))
	}
	t.probes = nil
}

// abandon drops the connections with a peer.
func (t *Transport) abandon(p *peer) {
	for _, o := range p.out {
		for o.head != nil {
			f := t.pop(o)
			err := error(nil)
			if f.r != nil {
				err = errClosed(f.r)
			}
			t.dropped(f, err)
		}
		if o.phase == connected {
			t.closeLater(o.fd, o.token)
		}
		if o.patience != nil {
			o.patience.Stop()
		}
		o.phase = ended
	}
	for _, c := range p.in {
		for ; c != nil; c = c.successor {
			if m := c.head; m != nil {
				c.head = nil
				t.lose(m)
			}
			if c.fd >= 0 {
				t.closeLater(c.fd, c.token)
				c.fd = -1
			}
		}
	}
	for _, c := range p.controls {
		if c.fd >= 0 {
			t.closeLater(c.fd, c.token)
			c.fd, c.ended = -1, true
		}
	}
}
