package operations

import (
	"slices"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// StartReceive starts a receive or probe.
func (t *Table) StartReceive(r *rpi.Request) {
	switch {
	case t.NoMoreReceives && r.AsksForMessage():
		r.Complete(r.TooLate())
	case r.Op == rpi.OpRecv:
		t.receive(r)
	default:
		t.probe(r)
	}
}

// receive posts a receive, or gives it the message that a matched probe took.
func (t *Table) receive(r *rpi.Request) {
	if m := r.Message; m != nil {
		r.Message = nil
		t.pair(r, m)
		return
	}
	rcv := &r.Transport.Receive
	rcv.Context, rcv.Source, rcv.Tag, rcv.Owner = r.Context, r.Peer, r.Tag, r
	if m := t.Match.Post(rcv); m != nil {
		t.pair(r, m)
		return
	}
	if err := t.unreachable(r.Context, r.Peer, r.Tag); err != nil {
		t.Match.Cancel(rcv)
		t.PairMatches()
		r.Complete(err)
		return
	}
	t.layer.Await(r.Context, r.Peer, r.Tag)
}

// Arrive hands in a message of a peer. If the error is not nil the message is the caller's as before, and the peer has
// broken the protocol.
func (t *Table) Arrive(m *matching.Message) error {
	if err := t.Match.Arrive(m); err != nil {
		return err
	}
	t.arrived(m)
	return nil
}

// arrived does what follows from a message that has arrived. m may be used for another one afterwards.
func (t *Table) arrived(m *matching.Message) {
	if !t.sift(m) {
		t.refuse(m)
	}
	t.PairMatches()
}

// PairMatches carries out the matches that a change has made possible.
func (t *Table) PairMatches() {
	left := false
	for rcv := t.Match.Next(); rcv != nil; rcv = t.Match.Next() {
		left = left || rcv.Context&rpi.InOrder == 0
		t.pair(rcv.Owner.(*rpi.Request), rcv.Message)
	}
	if left {
		t.refuseLost()
	}
	if len(t.Probes) > 0 {
		t.answerProbes()
	}
}

// pair gives message m to receive r.
func (t *Table) pair(r *rpi.Request, m *matching.Message) {
	r.Status, r.Transport.Seq = rpi.StatusOf(m.Source, &m.Envelope), m.Seq
	if own, ok := m.Owner.(*message); ok {
		t.handOver(r, own)
		return
	}
	if !r.Transport.Owned { // else the message is dropped
		t.received(m.Source, &m.Envelope)
	}
	t.layer.Pair(r, m)
}

// Iprobe looks for a message that a receive posted now would take.
func (t *Table) Iprobe(c matching.Context, source matching.Rank, tag matching.Tag) (rpi.Status, bool, error) {
	m := t.Match.Probe(c, source, tag)
	if m == nil {
		t.layer.Await(c, source, tag)
		return rpi.Status{}, false, t.unreachable(c, source, tag)
	}
	return rpi.StatusOf(m.Source, &m.Envelope), true, nil
}

// Improbe looks for a message and takes it.
func (t *Table) Improbe(c matching.Context, source matching.Rank, tag matching.Tag) (*matching.Message, rpi.Status, bool, error) {
	m := t.Match.Probe(c, source, tag)
	if m == nil {
		t.layer.Await(c, source, tag)
		return nil, rpi.Status{}, false, t.unreachable(c, source, tag)
	}
	t.take(m)
	t.PairMatches()
	return m, rpi.StatusOf(m.Source, &m.Envelope), true, nil
}

// take takes a message out for a matched probe.
func (t *Table) take(m *matching.Message) {
	t.Match.Take(m)
	if m.Source != t.Self {
		t.layer.Taken(m)
	}
}

// probe starts a blocking probe.
func (t *Table) probe(r *rpi.Request) {
	if t.answer(r) {
		t.awaitProbes()
		return
	}
	if err := t.unreachable(r.Context, r.Peer, r.Tag); err != nil {
		r.Complete(err)
		return
	}
	t.Probes = append(t.Probes, r)
	t.layer.Await(r.Context, r.Peer, r.Tag)
}

// answer completes probe r if its message is there.
func (t *Table) answer(r *rpi.Request) bool {
	m := t.Match.Probe(r.Context, r.Peer, r.Tag)
	if m == nil {
		return false
	}
	r.Status = rpi.StatusOf(m.Source, &m.Envelope)
	if r.Op == rpi.OpMprobe {
		t.take(m)
		r.Message = m
	}
	r.Complete(nil)
	return true
}

// answerProbes completes the probes for which there is a message, in the order in which they were started.
func (t *Table) answerProbes() {
	t.Probes = slices.DeleteFunc(t.Probes, t.answer)
	t.awaitProbes()
}

// awaitProbes has the layer see to what the waiting probes look for.
func (t *Table) awaitProbes() {
	for _, r := range t.Probes {
		t.layer.Await(r.Context, r.Peer, r.Tag)
	}
}

func (t *Table) forgetProbe(r *rpi.Request) bool {
	i := slices.Index(t.Probes, r)
	if i < 0 {
		return false
	}
	t.Probes = slices.Delete(t.Probes, i, i+1)
	return true
}
