package failure

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/agree"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/group"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

var seeds = flag.Uint64("failure.seeds", 100, "how many random histories of each kind are tried")

// job is the processes of a job in a simulation. Notices between two processes arrive in their order, all else happens in any order.
type job struct {
	*rand.Rand
	t         *testing.T
	processes []*process
	log       []string
	decided   map[string]agree.Value // by agreement, of the processes that have not been expelled
}

// process is a process with its transport.
type process struct {
	Process
	*job
	program   []op
	open      []*agreement // that the program waits for
	states    map[matching.Context]*State
	outcomes  map[string]agree.Value
	receive   *rpi.Request
	queues    [][]parcelOf // of notices to each process
	tidings   map[matching.Rank]error
	gone      map[matching.Rank]bool
	dead      bool
	killed    atomic.Bool
	countdown int // the notices that it still sends before it dies; -1: it lives
}

type parcelOf []byte

// op is a step of a program. may, unless it is nil, says whether it need not wait any longer.
type op struct {
	what string
	do   func(p *process)
	may  func(p *process) bool
}

// agreement is one that a program has begun.
type agreement struct {
	*Agreement
	name  string
	times int // that it has been decided
}

func newJob(t *testing.T, r *rand.Rand, size int) *job {
	j := &job{Rand: r, t: t, decided: make(map[string]agree.Value)}
	for rank := range size {
		p := &process{job: j, states: make(map[matching.Context]*State), outcomes: make(map[string]agree.Value), queues: make([][]parcelOf, size),
			tidings: make(map[matching.Rank]error), gone: make(map[matching.Rank]bool), countdown: -1}
		p.Rank, p.Size, p.Notices, p.Transport, p.Continuations = rank, size, 1<<40, p, rpi.NewContinuations()
		p.Left = func() bool { return false }
		j.processes = append(j.processes, p)
		p.Listen()
	}
	return j
}

// Start implements Transport.
func (p *process) Start(r *rpi.Request) {
	switch {
	case p.dead:
		if r.Op == rpi.OpRecv {
			r.Complete(rpi.ErrClosed)
		}
	case r.Op == rpi.OpRecv:
		p.receive = r
	case p.countdown == 0:
	default:
		if p.countdown > 0 {
			p.countdown--
		}
		if !p.gone[r.Peer] {
			p.queues[r.Peer] = append(p.queues[r.Peer], r.Buf)
		}
		r.Complete(nil)
	}
}

// Advance implements Transport.
func (p *process) Advance() {}

// GiveUp implements Transport. The one that is given up learns it.
func (p *process) GiveUp(peer matching.Rank, cause error) {
	if p.gone[peer] || p.dead {
		return
	}
	p.gone[peer] = true
	if other := p.processes[peer]; !other.dead {
		other.tidings[matching.Rank(p.Rank)] = rpi.ErrGivenUp
	}
	p.Gone(peer, cause)
}

// Kill implements Transport. The process dies when its step has ended, as this may run on another goroutine.
func (p *process) Kill() { p.killed.Store(true) }

// die ends the process: the others get some of what it has sent, and learn that it is dead.
func (p *process) die() {
	p.dead = true
	for to, q := range p.queues {
		p.queues[to] = q[:p.IntN(len(q)+1)]
	}
	for _, other := range p.processes {
		if other != p && !other.gone[matching.Rank(p.Rank)] && other.tidings[matching.Rank(p.Rank)] == nil {
			other.tidings[matching.Rank(p.Rank)] = errEnded
		}
	}
}

// at has a process do something. It may die when it has sent some of what it sends then.
func (p *process) at(what string, do func()) {
	p.log = append(p.log, fmt.Sprintf("%d %s", p.Rank, what))
	p.Continuations.Enter()
	do()
	p.Continuations.Leave(false)
	if p.countdown >= 0 && !p.dead {
		p.log = append(p.log, fmt.Sprintf("%d dies", p.Rank))
		p.die()
	}
}

// run has the process do a step of a program.
func (p *process) run(o op) { p.at(o.what, func() { o.do(p) }) }

// steps are what can happen next.
func (j *job) steps() (steps []func()) {
	for _, p := range j.processes {
		if p.dead {
			continue
		}
		if len(p.program) > 0 && (p.program[0].may == nil || p.program[0].may(p)) {
			steps = append(steps, func() {
				step := p.program[0]
				p.program = p.program[1:]
				p.run(step)
			})
		}
		for rank, other := range j.processes {
			peer := matching.Rank(rank)
			if cause := p.tidings[peer]; cause != nil {
				steps = append(steps, func() {
					delete(p.tidings, peer)
					if !p.gone[peer] {
						p.gone[peer] = true
						p.at(fmt.Sprintf("loses %d: %v", peer, cause), func() { p.Gone(peer, cause) })
					}
				})
			}
			if q := other.queues[p.Rank]; len(q) > 0 {
				steps = append(steps, func() {
					other.queues[p.Rank] = q[1:]
					p.at(fmt.Sprintf("hears %d: %x", rank, q[0]), func() { p.hear(peer, q[0]) })
				})
			}
		}
	}
	return steps
}

// hear has the process receive a notice.
func (p *process) hear(from matching.Rank, body []byte) {
	r := p.receive
	p.receive = nil
	copy(r.Buf, body)
	r.Status = rpi.Status{Source: from, Length: uint64(len(body))}
	r.Complete(nil)
}

// play runs the job until nothing can happen any more. So many processes may die, one about every so many steps. settle is called after each step.
func (j *job) play(deaths, every int, settle func()) {
	for n := 0; ; n++ {
		require.Less(j.t, n, 100_000, "no end")
		steps := j.steps()
		if len(steps) == 0 {
			return
		}
		if deaths > 0 && j.IntN(every) == 0 {
			deaths--
			p := j.processes[j.IntN(len(j.processes))]
			p.countdown = j.IntN(4) // in its next step
		}
		steps[j.IntN(len(steps))]()
		settle()
		for _, p := range j.processes {
			if p.killed.Load() && !p.dead {
				p.die()
			}
		}
	}
}

// opens opens a communicator of all.
func opens(context matching.Context) op {
	return op{what: fmt.Sprintf("opens %d", context), do: func(p *process) {
		s, all := new(State), group.First(p.Size)
		p.states[context] = s
		p.Open(s, context, all, all, func() {
			require.NotNil(p.t, p.states[context], "a communicator is revoked that has been released: %v", p.log)
		})
	}}
}

// closes releases it when all agreements are decided.
func closes(context matching.Context) op {
	return op{
		what: fmt.Sprintf("closes %d", context),
		do: func(p *process) {
			p.open = nil
			p.states[context].Close()
			delete(p.states, context)
		},
		may: func(p *process) bool {
			return !slices.ContainsFunc(p.open, func(a *agreement) bool { return !a.Whole.Completed() })
		},
	}
}

// agrees begins an agreement, which is not waited for.
func agrees(context matching.Context, number int) op {
	name := fmt.Sprintf("agreement %d of %d", number, context)
	return op{what: "begins " + name, do: func(p *process) {
		s := p.states[context]
		if p.IntN(3) == 0 {
			s.Ack(p.IntN(p.Size))
		}
		a := &agreement{name: name}
		a.Agreement = s.Agreement(name, ForFlags, ^uint64(1<<p.Rank), uint64(100+p.Rank), func(result *Agreement) error {
			a.times++
			v := result.Result
			v.Failed, v.Acked = v.Failed.Union(agree.Set{0}), v.Acked.Union(agree.Set{0}) // to compare
			p.outcomes[name] = v
			return nil
		})
		p.open = append(p.open, a)
		a.Begin()
	}}
}

// revokes revokes a communicator.
func revokes(context matching.Context) op {
	return op{what: fmt.Sprintf("revokes %d", context), do: func(p *process) { p.states[context].Revoke() }}
}

// check requires that the survivors have ended their programs, and agree. Those that have died must have agreed with them, those
// that have been expelled need not.
func (j *job) check() {
	for _, p := range j.processes {
		if !p.dead {
			require.Empty(j.t, p.program, "rank %d lives and waits: %v", p.Rank, j.log)
		}
		for _, a := range p.open {
			require.LessOrEqual(j.t, a.times, 1, "an agreement is decided twice: %v", j.log)
			require.True(j.t, p.dead && !p.Expelled() || a.Whole.Completed(), "an agreement has no end on rank %d: %v", p.Rank, j.log)
		}
		if p.Expelled() {
			continue
		}
		for name, v := range p.outcomes {
			if before, known := j.decided[name]; known {
				require.Equal(j.t, before, v, "%s is decided in two ways: %v", name, j.log)
			}
			j.decided[name] = v
		}
	}
	for name, v := range j.decided {
		for rank, p := range j.processes {
			if !p.dead {
				require.Zero(j.t, v.Flags&(1<<rank), "%s lacks the proposal of rank %d: %v", name, rank, j.log)
				require.False(j.t, v.Failed.Has(rank), "%s takes rank %d for dead: %v", name, rank, j.log)
			}
		}
	}
}
