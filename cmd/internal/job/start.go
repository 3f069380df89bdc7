package job

import (
	"cmp"
	"fmt"
	"sync"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/internal/process"
)

// startError is why a rank cannot be started.
type startError struct {
	number int
	status int
	text   string
}

// launch starts the ranks, those of each host in the order of their numbers, and returns when it has tried all of them or j.halt
// is set. None is started unless all hosts can be reached.
func (j *job) launch() {
	stdin := process.OpenStdin(j.spec.Stdin)
	if j.reachAll(stdin) {
		var starting sync.WaitGroup
		for _, r := range j.remotes {
			starting.Go(func() { r.proxy.Start(j.halted, abandonTime) })
		}
		process.StartAll(len(j.here), j.halt.Load, j.over, func(i int) { j.startRank(i, stdin) })
		starting.Wait()
	}
	if len(j.here) > 0 && j.here[0] == 0 {
		stdin.Close()
	}
	j.post(j.allStarted)
}

// startRank starts the i-th rank of this host.
func (j *job) startRank(i int, stdin process.Stdin) {
	number := j.here[i]
	if number > 0 {
		stdin.File = nil
	}
	r, err := j.startHere(i, stdin.File)
	if err != nil {
		j.enter(number, nil, &startError{number, process.StartStatus(err), fmt.Sprintf("cannot start rank %d: %v", number, err)})
		return
	}
	j.enter(number, r, nil)
}

// enter tells supervise of a rank that has been started, or why it has not been. Only then its requests are served and its end
// is waited for.
func (j *job) enter(number int, r *rank, err *startError) {
	j.post(func() { j.started(number, r, err) })
	if err == nil {
		j.serve(r)
		go j.await(r)
	}
}

// started takes a rank into the job, or notes why there is none.
func (j *job) started(number int, r *rank, err *startError) {
	j.unstarted--
	if err != nil {
		j.stop()
		if j.notStarted == nil || number < j.notStarted.number {
			j.notStarted = err
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
		j.fail(failure{status: j.notStarted.status, text: j.notStarted.text})
	}
	j.reapOrphans()
}

// others reports whether there is anything to end.
func (j *job) others() bool { return j.running > 0 || j.unstarted > 0 && !j.halt.Load() }

// reapOrphans takes leave of adopted children that have died, once it is known which children are ranks and remote shells.
func (j *job) reapOrphans() {
	if j.starting {
		return
	}
	ranks := make(map[int]bool, len(j.ranks))
	for r := range j.processes {
		ranks[r.pid] = true
	}
	for _, r := range j.remotes {
		ranks[r.shell()] = true
	}
	process.ReapOrphans(func(pid int) bool { return ranks[pid] })
}
