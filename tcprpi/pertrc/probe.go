package pertrc

import (
	"slices"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Iprobe implements rpi.Transport.
func (t *Transport) Iprobe(c matching.Context, source matching.Rank, tag matching.Tag) (rpi.Status, bool, error) {
	t.driver.Advance()
	t.mu.Lock()
	defer t.mu.Unlock()
	defer t.work()
	m := t.match.Probe(c, source, tag)
	if m == nil {
		t.unstop(c, source, tag)
		return rpi.Status{}, false, t.unreachable(c, source, tag)
	}
	return rpi.StatusOf(m), true, nil
}

// Improbe implements rpi.Transport.
func (t *Transport) Improbe(c matching.Context, source matching.Rank, tag matching.Tag) (*matching.Message, rpi.Status, bool, error) {
	t.driver.Advance()
	t.mu.Lock()
	defer t.mu.Unlock()
	defer t.work()
	m := t.match.Probe(c, source, tag)
	if m == nil {
		t.unstop(c, source, tag)
		return nil, rpi.Status{}, false, t.unreachable(c, source, tag)
	}
	t.remove(m)
	t.unstopProbes()
	return m, rpi.StatusOf(m), true, nil
}

// probe starts a blocking probe.
func (t *Transport) probe(r *rpi.Request) {
	if t.answer(r) {
		t.unstopProbes()
		return
	}
	if err := t.unreachable(r.Context, r.Peer, r.Tag); err != nil {
		r.Complete(err)
		return
	}
	t.probes = append(t.probes, r)
	t.await(r.Context, r.Peer, r.Tag)
}

// answer completes probe r if its message is there.
func (t *Transport) answer(r *rpi.Request) bool {
	m := t.match.Probe(r.Context, r.Peer, r.Tag)
	if m == nil {
		return false
	}
	r.Status = rpi.StatusOf(m)
	if r.Op == rpi.OpMprobe {
		t.remove(m)
		r.Message = m
	}
	r.Complete(nil)
	return true
}

func (t *Transport) forgetProbe(r *rpi.Request) bool {
	i := slices.Index(t.probes, r)
	if i < 0 {
		return false
	}
	t.probes = slices.Delete(t.probes, i, i+1)
	return true
}

// remove takes a message out for a matched probe. Until it is received, its
// body is in the way of the messages behind it.
func (t *Transport) remove(m *matching.Message) {
	t.match.Take(m)
	if c := m.Owner.(*message).conn; c != nil && !c.wanted {
		t.corked = append(t.corked, c)
	}
}

// uncork notes that the head of a connection is not in the way any more.
func (t *Transport) uncork(c *incoming) {
	if i := slices.Index(t.corked, c); i >= 0 {
		t.corked = slices.Delete(t.corked, i, i+1)
	}
}

// unstopProbes has the way cleared to what the waiting probes look for.
func (t *Transport) unstopProbes() {
	for _, r := range t.probes {
		if len(t.corked) == 0 {
			return
		}
		t.unstop(r.Context, r.Peer, r.Tag)
	}
}

// unstop clears the way to messages that a receive or probe wants and that may be behind one that
// no receive takes now: one that a matched probe has taken, or, where messages share a connection,
// any.
func (t *Transport) unstop(c matching.Context, source matching.Rank, tag matching.Tag) {
	for i := len(t.corked) - 1; i >= 0; i-- {
		conn := t.corked[i]
		if (source == matching.AnySource || conn.peer.rank == source) && conn.key.covers(c, tag) {
			t.stash(conn)
		}
	}
	if shared(c) && source != matching.AnySource {
		if conn := t.peers[source].in[keyOf(c, tag)]; conn != nil {
			t.stash(conn)
		}
	}
}

// stash takes the head of a connection out of the kernel, if it is not being
// read and the process may hold it.
func (t *Transport) stash(c *incoming) {
	m := c.head
	if m == nil || c.wanted || !t.holds(m.Length) {
		return
	}
	t.uncork(c)
	m.Body = t.memory.get(int(m.Length))
	c.wanted, c.place, c.discard = true, m.Body, 0
	if m.Length == 0 {
		t.landed(c)
	}
	t.goOn(c)
}
