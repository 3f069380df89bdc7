package progression

import (
	"slices"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Iprobe looks for a message that a receive posted now would take.
func (l *Layer) Iprobe(c matching.Context, source matching.Rank, tag matching.Tag) (rpi.Status, bool, error) {
	m := l.match.Probe(c, source, tag)
	if m == nil {
		l.demandAwaited(c, source, tag)
		return rpi.Status{}, false, l.unreachable(c, source)
	}
	return rpi.StatusOf(m), true, nil
}

// Improbe looks for a message and takes it.
func (l *Layer) Improbe(c matching.Context, source matching.Rank, tag matching.Tag) (*matching.Message, rpi.Status, bool, error) {
	m := l.match.Probe(c, source, tag)
	if m == nil {
		l.demandAwaited(c, source, tag)
		return nil, rpi.Status{}, false, l.unreachable(c, source)
	}
	l.match.Take(m)
	l.pairMatches()
	return m, rpi.StatusOf(m), true, nil
}

// probe starts a blocking probe.
func (l *Layer) probe(r *rpi.Request) {
	if l.answer(r) {
		return
	}
	if err := l.unreachable(r.Context, r.Peer); err != nil {
		r.Complete(err)
		return
	}
	l.probes = append(l.probes, r)
	l.reach(r.Peer)
	l.demandAwaited(r.Context, r.Peer, r.Tag)
}

// answer completes probe r if its message is there.
func (l *Layer) answer(r *rpi.Request) bool {
	m := l.match.Probe(r.Context, r.Peer, r.Tag)
	if m == nil {
		return false
	}
	r.Status = rpi.StatusOf(m)
	if r.Op == rpi.OpMprobe {
		l.match.Take(m)
		r.Message = m
	}
	r.Complete(nil)
	return true
}

// answerProbes completes the probes for which there is a message, in the order in which they were
// started.
func (l *Layer) answerProbes() {
	l.probes = slices.DeleteFunc(l.probes, l.answer)
	for _, r := range l.probes {
		l.demandAwaited(r.Context, r.Peer, r.Tag)
	}
}

func (l *Layer) forgetProbe(r *rpi.Request) bool {
	i := slices.Index(l.probes, r)
	if i < 0 {
		return false
	}
	l.probes = slices.Delete(l.probes, i, i+1)
	return true
}
