package job

import (
	"cmp"
	"errors"
	"fmt"
	"syscall"
	"time"
)

// failure is why a job has failed.
type failure struct {
	status  int
	text    string
	aborter *rank  // the rank that has called Abort, if that is it
	reason  string // why, by its own account
	ending  bool   // there are other ranks, which are ended because of it
	explain bool   // what the ranks waited for is of interest
}

// fail ends the job with a status. Only what fails first counts: what follows is mostly its consequence.
func (j *job) fail(f failure) {
	if j.ending != 0 {
		return
	}
	j.status, f.ending = f.status, j.others()
	if f.aborter != nil && !f.aborter.over {
		j.aborted, j.parting = &f, time.After(abortOutputTime)
	} else {
		j.sayFailure(f)
	}
	if f.explain {
		j.explain(syscall.SIGTERM)
		return
	}
	j.end(syscall.SIGTERM)
}

// sayFailure says why the job has failed. What the rank itself has written is not said again.
func (j *job) sayFailure(f failure) {
	text := f.text
	if f.reason != "" && (f.aborter == nil || !f.aborter.stderr.Said(f.reason)) {
		text += ": " + f.reason
	}
	if f.ending {
		text += "; ending the job"
	}
	j.say(text)
}

// sayAborted says that a rank has aborted the job, once that rank has ended or has had the time to write why.
func (j *job) sayAborted() {
	f := *j.aborted
	j.aborted, j.parting = nil, nil
	j.sayFailure(f)
	if !f.aborter.over {
		f.aborter.process.Signal(j.ending)
	}
}

// interrupt ends the job because the user asks for it, and passes on the user's signal. A second signal kills
// the ranks, and a third one waits for nothing.
func (j *job) interrupt(s syscall.Signal) {
	switch {
	case j.hurry:
		j.abandonRemotes()
		return
	case j.ending != 0:
		if j.interrupted == 0 {
			j.interrupted = s
		}
		j.killAll()
		j.hurry, j.abandon = true, time.After(hurryTime)
		return
	case j.effect.failure != nil:
		j.blameEffect()
		return
	}
	j.interrupted = s
	j.say(fmt.Sprintf("received signal %d (%v); ending the job", s, s))
	if s == syscall.SIGQUIT || s == syscall.SIGTERM {
		j.explain(s)
		return
	}
	j.end(s)
}

// end asks all ranks to end, and has them killed after the grace period. A rank that has aborted the job is left to end
// by itself first.
func (j *job) end(s syscall.Signal) {
	j.ending = s
	j.stop()
	for r := range j.processes {
		if j.aborted == nil || j.aborted.aborter != r {
			r.process.Signal(s)
		}
	}
	j.resume()
	j.kill = time.After(j.spec.Grace)
}

func (j *job) killAll() {
	if j.status == 0 && j.interrupted != 0 {
		j.status = statusSignal + int(j.interrupted)
	}
	j.ending = syscall.SIGKILL // also for a rank that is just being started
	j.broadcast(syscall.SIGKILL)
	j.abandon = time.After(abandonTime)
}

func (j *job) broadcast(s syscall.Signal) {
	for r := range j.processes {
		r.process.Signal(s)
	}
}

// onAbort is called by the PMI server.
func (j *job) onAbort(number, code int, text string) {
	j.post(func() {
		status := cmp.Or(code&0xff, statusFailed) // an abort is no success, whatever its code
		what := fmt.Sprintf("%s called Abort(%d)", j.name(number), code)
		j.failRank(number, failure{status: status, text: what, aborter: j.ranks[number], reason: text})
	})
}

// onCut is called by the PMI server.
func (j *job) onCut(number int, reason error) {
	j.post(func() {
		if number < 0 {
			j.say(fmt.Sprintf("turned away a process that is not of this job: %v", reason))
			return
		}
		j.fail(failure{status: statusFailed, text: fmt.Sprintf("%s broke the PMI protocol: %v", j.name(number), reason)})
	})
}

// lostOutput is called when one of the launcher's own outputs cannot be written to.
func (j *job) lostOutput(name string, err error) {
	lost := &failure{status: statusFailed, text: fmt.Sprintf("cannot write to %s: %v", name, err)}
	if errors.Is(err, syscall.EPIPE) {
		lost.status = statusSignal + int(syscall.SIGPIPE) // as if SIGPIPE had ended it
	}
	j.outputLost.CompareAndSwap(nil, lost)
	j.post(func() { j.fail(*lost) })
}
