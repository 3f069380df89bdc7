package ranks

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// dealt takes the tasks out of a worker's hand, and how many slots have been told that there are no more.
func dealt(hand chan task) (tasks, none int) {
	for len(hand) > 0 {
		if t := <-hand; t.none {
			none++
		} else {
			tasks++
		}
	}
	return tasks, none
}

func TestWorkersGetAsManyTasksInAnyOrderOfRequests(t *testing.T) {
	p := Farm{Tasks: 24, Fanout: 10, Slots: 10}
	d := newDealer(p, 3)
	for worker := range d.hands {
		for slot := range p.Slots {
			assert.Zero(t, d.next, "nothing is dealt before all have asked")
			d.ask(worker, slot)
		}
	}
	for worker, hand := range d.hands {
		tasks, none := dealt(hand)
		assert.Equal(t, 8, tasks, "worker %d", worker)
		assert.Equal(t, p.Slots, none)
	}
}

func TestAWorkerThatAsksAgainGetsTheRest(t *testing.T) {
	p := Farm{Tasks: 10, Fanout: 2, Slots: 1}
	d := newDealer(p, 2)
	d.ask(0, 0)
	d.ask(1, 0)
	for range 3 {
		tasks, none := dealt(d.hands[0])
		assert.Equal(t, 2, tasks)
		assert.Zero(t, none)
		d.ask(0, 0)
	}
	for _, hand := range d.hands {
		tasks, none := dealt(hand)
		assert.Equal(t, 2, tasks)
		assert.Equal(t, 1, none, "all are told that there are no more")
	}
	d.ask(0, 0)
	assert.Empty(t, d.hands[0], "a worker that asked before it was told has been told")
}
