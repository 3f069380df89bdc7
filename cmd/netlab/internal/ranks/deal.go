package ranks

import "sync"

// task is what a slot of a worker is dealt: a task, or that there are none for it any more.
type task struct {
	slot   int
	number uint64
	none   bool
}

// dealer deals tasks to the workers that have asked for some, one to each in turn, and none before all slots have
// asked. At first workers ask for more tasks than there may be. If requests were served in the order of their arrival,
// the worker that happened to get most tasks would decide the time of the whole.
type dealer struct {
	farm  Farm
	mu    sync.Mutex
	hands []chan task // by worker, with room for all that its slots can ask for
	// pending are, by worker, the slots that have asked, once for each task.
	pending [][]int
	// early is how many slots have yet to ask for the first time, next the next task.
	early, next int
}

func newDealer(p Farm, workers int) *dealer {
	d := &dealer{farm: p, hands: make([]chan task, workers), pending: make([][]int, workers), early: workers * p.Slots}
	for worker := range d.hands {
		d.hands[worker] = make(chan task, p.Slots*(p.Fanout+1))
	}
	return d
}

// ask handles the request of a slot, and deals.
func (d *dealer) ask(worker, slot int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.next == d.farm.Tasks {
		return // it has been told
	}
	for range d.farm.Fanout {
		d.pending[worker] = append(d.pending[worker], slot)
	}
	if d.early = max(d.early-1, 0); d.early > 0 {
		return
	}
	for d.round() {
	}
	if d.next == d.farm.Tasks {
		d.dismiss()
	}
}

// round deals a task to each worker that has asked, and reports whether there were any.
func (d *dealer) round() (dealt bool) {
	for worker, slots := range d.pending {
		if len(slots) > 0 && d.next < d.farm.Tasks {
			d.hands[worker] <- task{slot: slots[0], number: uint64(d.next)}
			d.pending[worker] = slots[1:]
			d.next++
			dealt = true
		}
	}
	return dealt
}

// dismiss tells all slots that there is nothing more.
func (d *dealer) dismiss() {
	for _, hand := range d.hands {
		for slot := range d.farm.Slots {
			hand <- task{slot: slot, none: true}
		}
	}
}
