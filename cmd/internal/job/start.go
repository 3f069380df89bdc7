package job

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"sync"
	"time"
)

// starters is how many ranks are started at a time: starting one waits for its program to be read and for the kernel.
const starters = 8

// startError is why a rank cannot be started.
type startError struct {
	number int
	cause  error
}

func (e *startError) failure() failure {
	text := fmt.Sprintf("cannot start rank %d: %v", e.number, e.cause)
	switch {
	case errors.Is(e.cause, fs.ErrNotExist):
		return failure{status: statusNotFound, text: text}
	case errors.Is(e.cause, fs.ErrPermission), isExecFormat(e.cause):
		return failure{status: statusNotRunnable, text: text}
	}
	return failure{status: statusFailed, text: text}
}

// launch starts the ranks in the order of their numbers, several at a time, and returns when it has tried all of them or
// j.halt is set. Linux kills a child when the thread that made it ends, not the process, so the goroutines that start
// ranks keep their threads until no rank is left.
func (j *job) launch() {
	stdin := openStdin(j.spec.Stdin)
	numbers := make(chan int)
	var tried sync.WaitGroup
	for range min(starters, len(j.ranks)) {
		tried.Add(1)
		go func() {
			runtime.LockOSThread()
			for number := range numbers {
				j.startRank(number, stdin)
			}
			tried.Done()
			<-j.over
		}()
	}
	for number := 0; number < len(j.ranks) && !j.halt.Load(); number++ {
		numbers <- number
	}
	close(numbers)
	tried.Wait()
	stdin.close()
	j.post(j.allStarted)
}

// startRank starts one rank. It tells supervise of the rank first, and only then serves its requests and waits for its end.
func (j *job) startRank(number int, stdin stdin) {
	if number > 0 {
		stdin.file = nil
	}
	r, err := j.start(number, j.spec.app(number), stdin.file)
	j.post(func() { j.started(number, r, err) })
	if err == nil {
		r.link.serve()
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
		r.signal(j.ending)
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
