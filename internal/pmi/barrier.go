package pmi

import "fmt"

// barrier counts the ranks that have come to the fence. It is not safe for concurrent use.
type barrier struct {
	keepGoing bool // ranks may leave for good once all have met
	members   int  // ranks that have not left
	inside    []bool
	waiting   int
	met       bool // a fence has been complete
	current   *round
	broken    error // a left, when a rank has left that is needed: no fence can be complete any more
}

// round is one fence, from the first rank that comes until the last one has come.
type round struct {
	done chan struct{} // closed at its end
	err  error         // why it cannot complete; to be read after done
}

// left is the error of a fence that a rank has left for good.
type left int

func (l left) Error() string { return fmt.Sprintf("rank %d has left the job", int(l)) }

func newBarrier(size int, keepGoing bool) barrier {
	return barrier{keepGoing: keepGoing, members: size, inside: make([]bool, size)}
}

// enter counts a rank, which has to wait for the end of the round returned.
func (b *barrier) enter(rank int) *round {
	if b.current == nil {
		b.current = &round{done: make(chan struct{})}
	}
	r := b.current
	b.inside[rank] = true
	b.waiting++
	b.finishIfComplete()
	return r
}

// leave notes that a rank has gone for good. One that has come to the first fence has done its part there.
func (b *barrier) leave(rank int) {
	b.members--
	came := b.inside[rank]
	if came {
		b.inside[rank] = false
		b.waiting--
	}
	if b.broken == nil && !(b.keepGoing && (b.met || came)) {
		b.broken = left(rank)
	}
	b.finishIfComplete()
}

func (b *barrier) finishIfComplete() {
	if b.current == nil || b.broken == nil && b.waiting < b.members {
		return
	}
	b.met = b.met || b.broken == nil
	b.current.err = b.broken
	close(b.current.done)
	b.current, b.waiting = nil, 0
	clear(b.inside)
}
