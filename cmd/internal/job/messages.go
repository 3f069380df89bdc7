package job

import (
	"cmp"
	"time"
)

const (
	// openingTime is how long, after all ranks have been started, what they write to standard error is held, unless they
	// have met at a fence before.
	openingTime = time.Second
	// foldTime is how long the last words of a rank that has failed in that time wait for the same words of others.
	foldTime = 250 * time.Millisecond
	// abortOutputTime is how long a rank that has called Abort may take to write why.
	abortOutputTime = time.Second
)

// printer writes what the launcher has to say, in a goroutine of its own.
type printer struct {
	queue   chan func()
	printed chan struct{}
}

func newPrinter() *printer {
	p := &printer{queue: make(chan func(), 64), printed: make(chan struct{})}
	go func() {
		defer close(p.printed)
		for print := range p.queue {
			print()
		}
	}()
	return p
}

// close returns when all has been written.
func (p *printer) close() {
	close(p.queue)
	<-p.printed
}

// say prints a message. It never waits, so that a full pipe at standard error cannot keep the job from being ended.
func (j *job) say(text string) {
	if len(j.folding) > 0 {
		j.unsaid = append(j.unsaid, text)
		return
	}
	select {
	case j.printer.queue <- func() { j.stderr.Println("mpirun: " + text) }:
	default:
	}
}

// holdOutput keeps what a rank has written that has failed before it has met the others, so that the same output of others
// are written once. What the launcher has to say comes after that.
func (j *job) holdOutput(r *rank) {
	if !r.stderr.Held() {
		go r.stderr.Release()
		return
	}
	if len(j.folding) == 0 {
		j.fold = time.After(cmp.Or(j.spec.Patience, foldTime))
	}
	j.folding = append(j.folding, r.stderr)
}

// foldOutput writes what holdOutput has kept. If the printer cannot keep up, that waits for the end of the job.
func (j *job) foldOutput() {
	if len(j.folding) == 0 {
		return
	}
	words, unsaid := j.folding, j.unsaid
	select {
	case j.printer.queue <- func() { j.stderr.Fold(words) }:
		j.folding, j.unsaid = nil, nil
		for _, text := range unsaid {
			j.say(text)
		}
	default:
		j.fold = time.After(foldTime) // the printer is busy
	}
}

// open passes on what a rank has written to standard error and what it writes from now on, unless the rank has ended,
// which ended deals with. Release may wait for standard error, so it has a goroutine of its own.
func (j *job) open(r *rank) {
	if !r.over {
		go r.stderr.Release()
	}
}

// onFence is called by the PMI server. A rank that has met the others has been started well.
func (j *job) onFence(number int) {
	j.post(func() {
		if r := j.ranks[number]; r != nil {
			j.open(r)
		}
	})
}

// lastMessages writes what has not been written yet, when all ranks have ended.
func (j *job) lastMessages() {
	j.printer.close()
	j.stderr.Fold(j.folding)
	for r := range j.processes {
		r.stderr.Release()
	}
	for _, text := range j.unsaid {
		j.stderr.Println("mpirun: " + text)
	}
}
