package job

import (
	"cmp"
	"fmt"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/internal/process"
)

// startError is why a rank cannot be started.
type startError struct {
	number int
	cause  error
}

func (e *startError) failure() failure {
	return failure{status: process.StartStatus(e.cause), text: fmt.Sprintf("cannot start rank %d: %v", e.number, e.cause)}
}

// launch starts the ranks in the order of their numbers, and returns when it has tried all of them or j.halt is set.
func (j *job) launch() {
	stdin := process.OpenStdin(j.spec.Stdin)
	process.StartAll(len(j.ranks), j.halt.Load, j.over, func(number int) { j.startRank(number, stdin) })
	stdin.Close()
	j.post(j.allStarted)
}

// startRank starts one rank. It tells supervise of the rank first, and only then serves its requests and waits for its end.
func (j *job) startRank(number int, stdin process.Stdin) {
	if number > 0 {
		stdin.File = nil
	}
	r, err := j.startHere(number, j.spec.app(number), stdin.File)
	j.post(func() { j.started(number, r, err) })
	if err == nil {
		j.serve(r)
		go j.await(r)
	}
}

// started takes a rank into the job, or notes why there is none.
func (j *job) started(number int, r *rank, err error) {
	j.unstarted--
	if err != nil {
		j.halt.Store(true)
		if j.notStarted == nil || number < j.notStarted.number {
			j.notStarted = &startError{number, err}
		}
		return
	}
	j.ranks[number] = r
	j.running++
	if j.ending != 0 {
		r.process.Signal(j.ending)
	}
}

// allStarted is called when no further rank will be started.
func (j *job) allStarted() {
	j.starting = false
	j.opening = time.After(cmp.Or(j.spec.Patience, openingTime))
	if j.notStarted != nil {
		j.fail(j.notStarted.failure())
	}
	j.reapOrphans()
}

// others reports whether there is anything to end.
func (j *job) others() bool { return j.running > 0 || j.unstarted > 0 && !j.halt.Load() }

// reapOrphans takes leave of adopted children that have died, once it is known which children are ranks.
func (j *job) reapOrphans() {
	if j.starting {
		return
	}
	ranks := make(map[int]bool, len(j.ranks))
	for r := range j.processes {
		ranks[r.pid] = true
	}
	process.ReapOrphans(func(pid int) bool { return ranks[pid] })
}
