package pertrc

import "github.com/sctpmpi/sctpmpi/tcprpi/internal/socket"

// task is something that work is to look at before the lock is given up: a
// connection that may have something to write or to read, or a peer.
type task interface {
	attend(t *Transport)
	// listed says whether the task is in the list.
	listed() *bool
}

// taskList is a queue of tasks, none of them twice.
type taskList struct {
	all  []task
	next int
}

func (t *Transport) attend(x task) {
	if in := x.listed(); !*in {
		*in = true
		t.tasks.all = append(t.tasks.all, x)
	}
}

// leave gives the lock up for a system call, enter takes it again. Kill waits
// for those that are under way.
func (t *Transport) leave() {
	t.calls++
	t.lock.Leave()
}

func (t *Transport) enter() {
	t.lock.Enter()
	if t.calls--; t.calls == 0 && t.life.Over {
		t.life.Changed()
	}
}

// work does what has become necessary while the lock was held: it attends to
// the tasks in the list, and closes the sockets that are not used any more.
func (t *Transport) work() {
	for l := &t.tasks; l.next < len(l.all); {
		x := l.all[l.next]
		l.all[l.next] = nil
		if l.next++; l.next == len(l.all) {
			l.all, l.next = l.all[:0], 0
		}
		*x.listed() = false
		x.attend(t)
	}
	if unused := t.toClose; len(unused) > 0 {
		t.toClose = nil
		t.leave()
		for _, fd := range unused {
			socket.Close(fd)
		}
		t.enter()
	}
}

// endpoint is what a socket that the watcher has belongs to.
type endpoint interface {
	event(t *Transport, e socket.Event)
}

// socketTable finds endpoints by the tokens of the watcher: an index, and a
// generation that tells the events of a socket from those of its predecessors.
type socketTable struct {
	slots []socketSlot
	free  []uint32
}

type socketSlot struct {
	owner      endpoint
	generation uint32
}

func (s *socketTable) add(owner endpoint) (token uint64) {
	var i uint32
	if n := len(s.free); n > 0 {
		i, s.free = s.free[n-1], s.free[:n-1]
	} else {
		i = uint32(len(s.slots))
		s.slots = append(s.slots, socketSlot{})
	}
	s.slots[i].owner = owner
	return uint64(s.slots[i].generation)<<32 | uint64(i)
}

func (s *socketTable) find(token uint64) endpoint {
	slot := &s.slots[uint32(token)]
	if slot.generation != uint32(token>>32) {
		return nil
	}
	return slot.owner
}

// give makes a socket that of another endpoint.
func (s *socketTable) give(token uint64, to endpoint) { s.slots[uint32(token)].owner = to }

func (s *socketTable) remove(token uint64) {
	slot := &s.slots[uint32(token)]
	slot.owner = nil
	slot.generation++
	s.free = append(s.free, uint32(token))
}

// closeLater has a socket closed that is not used any more.
func (t *Transport) closeLater(fd int, token uint64) {
	t.sockets.remove(token)
	t.toClose = append(t.toClose, fd)
	t.meter.Closed.Add(1)
}
