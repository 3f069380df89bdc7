package operations

import (
	"slices"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Fail notes that a peer is gone, and why. The layer then ends what it has of it, and calls EndUnreachable. It returns
// false if the peer was gone before.
func (t *Table) Fail(gone matching.Rank, cause error) bool {
	p := &t.peers[gone]
	if p.failed != nil {
		return false
	}
	p.failed = &rpi.PeerError{Peer: gone, Cause: cause}
	t.alive--
	if t.Config.Gone != nil {
		t.Config.Gone(gone, cause)
		t.nudgeWildcards()
	}
	return true
}

// nudgeWildcards wakes the goroutines that wait for messages from any source.
func (t *Table) nudgeWildcards() {
	for rcv := range t.Match.Receives() {
		if rcv.Source == matching.AnySource {
			rcv.Owner.(*rpi.Request).Nudge()
		}
	}
	for _, r := range t.Probes {
		if r.Peer == matching.AnySource {
			r.Nudge()
		}
	}
}

// Failed reports why a peer is gone, nil if it is not.
func (t *Table) Failed(peer matching.Rank) error { return t.peers[peer].failed }

// EndUnreachable ends the receives and probes for which no message can come any more.
func (t *Table) EndUnreachable() {
	for rcv := range t.Match.Receives() {
		r := rcv.Owner.(*rpi.Request)
		if err := t.unreachable(r.Context, r.Peer, r.Tag); err != nil && t.Match.Cancel(rcv) {
			t.Finish(r, err)
		}
	}
	t.Probes = slices.DeleteFunc(t.Probes, func(r *rpi.Request) bool {
		err := t.unreachable(r.Context, r.Peer, r.Tag)
		if err != nil {
			r.Complete(err)
		}
		return err != nil
	})
	t.PairMatches()
	t.refuseLost()
}

// unreachable returns why no message that a receive or probe wants can come any more.
func (t *Table) unreachable(c matching.Context, source matching.Rank, tag matching.Tag) error {
	switch {
	case t.revoked[c]:
		return rpi.ErrRevoked
	case source == t.Self || t.Closed:
		return nil
	case source != matching.AnySource:
		if err := t.peers[source].failed; err != nil && !t.layer.Undecided(source, c, tag) {
			return err
		}
		return nil
	case t.alive == t.Config.Size-1 || !t.groups.Deserted(c, t.Self, len(t.peers), t.isGone):
		return nil
	}
	for peer := range t.peers {
		if t.layer.Undecided(matching.Rank(peer), c, tag) {
			return nil
		}
	}
	return rpi.ErrDeserted
}

func (t *Table) isGone(peer matching.Rank) bool { return t.peers[peer].failed != nil }

// StopReceiving says that no receive will be posted any more. Messages that none can take are refused.
func (t *Table) StopReceiving() {
	t.NoMoreReceives = true
	t.refuseLost()
}

// refuseLost refuses those of the unexpected messages that are lost since a receive has left.
func (t *Table) refuseLost() {
	if !t.NoMoreReceives {
		return
	}
	for m := range t.Match.Messages() {
		t.refuse(m)
	}
}

// refuse refuses m, which has arrived, if no receive is there that may take it.
func (t *Table) refuse(m *matching.Message) {
	if !t.NoMoreReceives || m.Context&rpi.InOrder != 0 {
		return
	}
	own, ok := m.Owner.(*message)
	if ok && own.sender == nil || !ok && !t.layer.Refusable(m) {
		return
	}
	if byTag, anyTag := t.Match.Awaited(m.Context, m.Source, m.Tag); byTag || anyTag || !t.Match.Take(m) {
		return
	}
	if !ok {
		t.layer.Refuse(m)
		return
	}
	t.Undeliverable.Add(m)
	s := own.sender
	t.free(own)
	s.Transport.Pending = nil
	t.Finish(s, &rpi.UndeliverableError{Peer: t.Self})
}

// Snapshot returns the receives and probes that wait, the messages that no receive has taken, and the sends that a
// peer can name: of those moving tells whether they are under way.
func (t *Table) Snapshot(moving func(r *rpi.Request) bool) rpi.Snapshot {
	var s rpi.Snapshot
	t.count(&s)
	t.Match.Walk(func(rcv *matching.Receive) {
		s.Add(rcv.Owner.(*rpi.Request), t.stage(rcv.Source))
	}, func(m *matching.Message) {
		s.AddMessage(m)
		if own, ok := m.Owner.(*message); ok && own.sender != nil {
			s.Add(own.sender, rpi.Unmatched)
		}
	})
	t.Lost.Among(&s.Unexpected, &s.MoreUnexpected)
	t.Undeliverable.Among(&s.Undeliverable, &s.MoreUndeliverable)
	for _, r := range t.Probes {
		s.Add(r, t.stage(r.Peer))
	}
	for r := range t.Requests.All() {
		if moving(r) {
			s.Add(r, rpi.Moving)
		} else {
			s.Add(r, t.stage(r.Peer))
		}
	}
	return s
}

// stage is that of an operation that waits for its peer.
func (t *Table) stage(peer matching.Rank) rpi.Stage {
	if peer == matching.AnySource || peer == t.Self || t.layer.Connected(peer) {
		return rpi.Unmatched
	}
	return rpi.Connecting
}
