package collective

import (
	"slices"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// A process in Finalize makes no calls any more, on no communicator. Ranks that wait for it in one, of which it may have heard
// nothing else, ask. It answers that its call is Finalize, and theirs fail.

// finalizeMark stands for Finalize in the answers about calls that this process does not make.
var finalizeMark = (&terms{routine: Finalize}).mark()

// SetFinalizing says whether the process is in Finalize.
func (p *Process) SetFinalizing(is bool) {
	p.finalizing.Store(is)
	if !is {
		return
	}
	for _, s := range p.watch.all() {
		s.answerEarly()
	}
}

// neverCalled reports whether a notice asks about a call that this process has not made and never will.
func (s *Space) neverCalled(n notice) bool {
	return s.process.finalizing.Load() && n.question() && !rpi.Before(n.tag, matching.Tag(s.calls&MaxTag))
}

// answerEarly answers the questions about later calls that have come before.
func (s *Space) answerEarly() {
	var replies []reply
	s.mu.Lock()
	s.inbox.early = slices.DeleteFunc(s.inbox.early, func(n notice) bool {
		never := s.neverCalled(n)
		if never {
			replies = append(replies, reply{n.status.Source, n.tag, finalizeMark})
		}
		return never
	})
	s.mu.Unlock()
	s.inbox.taken(len(replies))
	s.answer(replies)
}
