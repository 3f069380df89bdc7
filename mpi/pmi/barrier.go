package pmi

import "fmt"

// barrier counts the ranks that have come to the fence. The zero value with a size is ready; it is not safe for
// concurrent use.
type barrier struct {
	size    int
	waiting int
	current *round
	broken  error // set when a rank has left for good: no fence can be complete any more
}

// round is one fence, from the first rank that comes until the last one has come.
type round struct {
	done chan struct{} // closed at its end
	err  error         // why it cannot complete; to be read after done
}

// enter counts one rank, which has to wait for the end of the round returned.
func (b *barrier) enter() *round {
	if b.current == nil {
		b.current = &round{done: make(chan struct{})}
	}
	r := b.current
	b.waiting++
	if b.waiting == b.size || b.broken != nil {
		b.finish()
	}
	return r
}

// leave notes that a rank has gone for good.
func (b *barrier) leave(rank int) {
	if b.broken == nil {
		b.broken = fmt.Errorf("rank %d has left the job", rank)
	}
	if b.current != nil {
		b.finish()
	}
}

func (b *barrier) finish() {
	b.current.err = b.broken
	close(b.current.done)
	b.current, b.waiting = nil, 0
}
