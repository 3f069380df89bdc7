package failure

import (
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Transport is what a Process needs of an rpi.Transport.
type Transport interface {
	Start(r *rpi.Request)
	Advance()
	GiveUp(peer matching.Rank, cause error)
	Kill()
}

// Process is what a process knows of the failures in its job. Set the exported fields before use.
type Process struct {
	Rank, Size    int
	Transport     Transport
	Continuations *rpi.Continuations
	// Notices is the context of notices, which is that of no communicator.
	Notices matching.Context
	// Left reports whether the process has left its job by Finalize or Abort, or is about to.
	Left func() bool

	deaths   deaths
	expelled atomic.Pointer[string] // why it is not in its job any more though it has not left
	inbox    inbox

	mu sync.Mutex // guards what follows
	// states are those of communicators, closed those of them that are kept though released, the oldest first.
	states map[matching.Context]*State
	closed []matching.Context
	// early are notices about communicators that this process does not have yet, or not any more, the oldest first.
	early []notice
}

// Gone is rpi.Config.Gone.
func (p *Process) Gone(peer matching.Rank, cause error) {
	if errors.Is(cause, rpi.ErrGivenUp) {
		p.castOut()
	}
	p.deaths.add(peer, !errors.Is(cause, rpi.ErrFinalized))
	p.Continuations.Add((*mourning)(p))
}

// Report notes that another process has found one dead, of which the transport here does not know yet. It may still have messages of it.
func (p *Process) Report(peer matching.Rank) {
	p.deaths.mu.Lock()
	defer p.deaths.mu.Unlock()
	p.deaths.enter(peer)
}

// Deaths is how many processes are known to be dead.
func (p *Process) Deaths() int { return int(p.deaths.count.Load()) }

// errEnded is the cause of GiveUp for a peer of which the launcher has said that it is dead.
var errEnded = errors.New("the launcher says that it has ended without Finalize")

// lastWordsTime is how long what a process has sent before its end may take to be read. Connections that tell of the end themselves do
// so within that time, as a rule, behind what was sent.
const lastWordsTime = 50 * time.Millisecond

// Ended gives up a process that the launcher has seen end. It does not wait.
func (p *Process) Ended(rank int) {
	if rank == p.Rank || rank >= p.Size {
		return
	}
	go func() { // the launcher may have more to say meanwhile
		time.Sleep(lastWordsTime)
		p.Transport.Advance()
		p.Transport.GiveUp(matching.Rank(rank), errEnded)
	}()
}

// mourning does what follows when processes have gone.
type mourning Process

// Run implements rpi.Runner. A process that has been expelled does nothing: it would agree with itself alone.
func (m *mourning) Run(bool) {
	p := (*Process)(m)
	if p.Expelled() {
		return
	}
	for _, s := range p.all() {
		if s.Revoked() {
			s.spread()
		}
		s.mourn()
	}
}
