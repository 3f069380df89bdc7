package ring

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// The argument of the package comment, step by step: a sender and a receiver as the sequences of their accesses to
// shared words, in every order that there is. In none of them does the receiver end asleep, with a frame in the ring and
// the doorbell silent. It is what Notify, Look, lower and Sleep do; each step is one atomic access.

// words are the words that both see, and what each remembers.
type words struct {
	frame, bit, asleep, bell bool
	hot                      bool // the receiver looks at the ring directly
	sawBit, sawAsleep        bool // by the sender
	taken                    bool // by the receiver
	waits                    bool
}

type step func(w *words)

func (w *words) look() {
	if w.frame {
		w.taken = true
	}
}

// sender publishes a frame and notifies.
var sender = []step{
	func(w *words) { w.frame = true },
	func(w *words) { w.sawBit = w.bit },
	func(w *words) { w.bit = w.bit || !w.sawBit },
	func(w *words) { w.sawAsleep = w.asleep },
	func(w *words) { w.bell, w.asleep = w.bell || w.sawAsleep && w.asleep, w.asleep && !w.sawAsleep },
}

// receiver evicts the ring from those that it looks at directly, and goes to sleep.
var receiver = []step{
	func(w *words) { w.hot, w.bit = false, false },
	func(w *words) { w.look() },
	func(w *words) { w.bit = w.bit || w.taken },
	func(w *words) { w.asleep = true },
	func(w *words) { w.waits = !w.bit && !w.taken },
}

// hotReceiver goes to sleep with the ring among those that it looks at directly.
var hotReceiver = []step{
	func(w *words) { w.asleep = true },
	func(w *words) { w.look() },
	func(w *words) { w.waits = !w.taken },
}

// interleave runs all orders of two sequences, and calls end with each outcome.
func interleave(w words, a, b []step, end func(w words)) {
	if len(a)+len(b) == 0 {
		end(w)
		return
	}
	if len(a) > 0 {
		next := w
		a[0](&next)
		interleave(next, a[1:], b, end)
	}
	if len(b) > 0 {
		next := w
		b[0](&next)
		interleave(next, a, b[1:], end)
	}
}

// forgotten counts the orders in which the receiver waits for ever.
func forgotten(send, receive []step) (lost, orders int) {
	interleave(words{bit: true, hot: true}, send, receive, func(w words) {
		orders++
		if w.waits && !w.bell {
			lost++
		}
	})
	return lost, orders
}

func TestNoOrderOfStepsForgetsASleeper(t *testing.T) {
	lost, orders := forgotten(sender, receiver)
	assert.Zero(t, lost)
	assert.Equal(t, 252, orders, "5 steps and 5 steps")
	lost, orders = forgotten(sender, hotReceiver)
	assert.Zero(t, lost)
	assert.Equal(t, 56, orders)
}

// The model can tell: without one of the second looks there are orders that lose a frame.
func TestEachSecondLookIsNeeded(t *testing.T) {
	none := func(*words) {}
	withoutLookAfterClear := append([]step(nil), receiver...)
	withoutLookAfterClear[1] = none
	lost, _ := forgotten(sender, withoutLookAfterClear)
	assert.NotZero(t, lost)

	lookBeforeAsleep := []step{hotReceiver[1], hotReceiver[0], hotReceiver[2]}
	lost, _ = forgotten(sender, lookBeforeAsleep)
	assert.NotZero(t, lost)

	asleepBeforeFrame := []step{sender[3], sender[0], sender[1], sender[2], sender[4]}
	lost, _ = forgotten(asleepBeforeFrame, hotReceiver)
	assert.NotZero(t, lost)
}
