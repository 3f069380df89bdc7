package job

import (
	"errors"
	"fmt"
	"syscall"
	"time"
)

// failure is why a job has failed.
type failure struct {
	status int
	text   string
}

// fail ends the job with a status. Only what fails first counts: what follows is mostly its consequence.
func (j *job) fail(status int, text string) {
	if j.ending {
		return
	}
	j.status = status
	if j.running > 0 {
		text += "; ending the job"
	}
	j.say(text)
	j.end(syscall.SIGTERM)
}

// interrupt ends the job because the user wants it, with the signal by which he said so. His second one kills.
func (j *job) interrupt(s syscall.Signal) {
	if j.ending {
		j.killAll()
		return
	}
	j.interrupted = s
	j.say(fmt.Sprintf("received signal %d (%v); ending the job", s, s))
	j.end(s)
}

// end asks all ranks to end, and has them killed after the grace period.
func (j *job) end(s syscall.Signal) {
	j.ending = true
	j.broadcast(s)
	j.resume()
	j.kill = time.After(j.spec.Grace)
}

func (j *job) killAll() {
	if j.status == 0 && j.interrupted != 0 {
		j.status = statusSignal + int(j.interrupted)
	}
	j.broadcast(syscall.SIGKILL)
}

func (j *job) broadcast(s syscall.Signal) {
	for _, r := range j.ranks {
		r.signal(s)
	}
}

// onAbort is called by the PMI server.
func (j *job) onAbort(number, code int, text string) {
	j.post(func() {
		status := code & 0xff
		if status == 0 {
			status = statusFailed // an abort is no success, whatever its code
		}
		what := fmt.Sprintf("%v called Abort(%d)", j.ranks[number], code)
		if text != "" {
			what += ": " + text
		}
		j.fail(status, what)
	})
}

// onCut is called by the PMI server.
func (j *job) onCut(number int, reason error) {
	j.post(func() {
		if number < 0 {
			j.say(fmt.Sprintf("turned away a process that is not of this job: %v", reason))
			return
		}
		j.fail(statusFailed, fmt.Sprintf("%v broke the PMI protocol: %v", j.ranks[number], reason))
	})
}

// lostOutput is called when one of the launcher's own outputs cannot be written to.
func (j *job) lostOutput(name string, err error) {
	lost := &failure{statusFailed, fmt.Sprintf("cannot write to %s: %v", name, err)}
	if errors.Is(err, syscall.EPIPE) {
		lost.status = statusSignal + int(syscall.SIGPIPE) // what programs die of that do not handle it
	}
	j.outputLost.CompareAndSwap(nil, lost)
	j.post(func() { j.fail(lost.status, lost.text) })
}
