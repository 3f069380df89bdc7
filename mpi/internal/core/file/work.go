package file

import (
	"sync"
	"sync/atomic"
)

// A queue runs functions that block on goroutines of its own, at most limit at the same time and in the order in which they
// come. A goroutine ends when there is nothing to do.
type queue struct {
	limit int

	mu      sync.Mutex
	waiting []func()
	running int
}

// workers run the independent nonblocking operations of all files. More of them do not make a disk faster.
var workers = queue{limit: 8}

// start has run called.
func (q *queue) start(run func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting = append(q.waiting, run)
	if q.running < q.limit {
		q.running++
		go q.work()
	}
}

// call calls run when all before it has been: in this goroutine if nothing is.
func (q *queue) call(run func()) {
	q.mu.Lock()
	if q.running < q.limit {
		q.running++
		q.mu.Unlock()
		run()
		q.next()
		return
	}
	done := make(chan struct{})
	q.waiting = append(q.waiting, func() {
		defer close(done)
		run()
	})
	q.mu.Unlock()
	<-done
}

// next ends a turn, and has what waits run.
func (q *queue) next() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) == 0 {
		q.running--
		return
	}
	go q.work()
}

func (q *queue) work() {
	for {
		q.mu.Lock()
		if len(q.waiting) == 0 {
			q.running--
			q.waiting = nil
			q.mu.Unlock()
			return
		}
		run := q.waiting[0]
		q.waiting[0] = nil
		q.waiting = q.waiting[1:]
		q.mu.Unlock()
		run()
	}
}

// Pending is an independent nonblocking access that may not have begun.
type Pending struct {
	begun atomic.Bool
	run   func()
}

// Help carries the access out, unless it has begun: a goroutine that waits for it is sooner done than another one has started, on
// another thread that the system has to run first. It returns when the access has ended, or at once. p may be nil.
func (p *Pending) Help() {
	if p != nil && !p.begun.Swap(true) {
		p.run()
	}
}

// outcome is how many bytes an access has read or written.
type outcome struct {
	bytes int64
	err   error
}
