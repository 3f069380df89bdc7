package shm

import (
	"github.com/sctpmpi/sctpmpi/internal/shm/internal/meeting"
	"github.com/sctpmpi/sctpmpi/internal/shm/internal/ring"
)

// end is what one side has when two peers have met.
type end struct {
	in        *ring.Consumer
	out       *ring.Producer
	notifier  *ring.Notifier // of the peer's inbox
	neighbour neighbour
	lends     bool // the peer can read what is lent to it
	made      int  // bytes of memory that this side has made
}

// newEnd opens this side's ends of the rings of a pair, and the peer's inbox. lower: this side has the lower rank. self is its
// rank, ranks the size of the job.
func newEnd(pair, inbox []byte, lower bool, self, ranks int) (*end, error) {
	out, in := ring.Pair(pair, lower)
	e := new(end)
	var err error
	if e.in, err = ring.NewConsumer(in); err != nil {
		return nil, err
	}
	if e.out, err = ring.NewProducer(out); err != nil {
		return nil, err
	}
	e.notifier, err = ring.NewNotifier(inbox, ranks, self)
	return e, err
}

// leave tells the peer that this side does not use the memory, or not any more.
func (e *end) leave() {
	e.out.Close()
	e.notifier.Notify()
	e.neighbour.wake()
	e.neighbour.leave()
}

// formatPair makes rings of the memory of a pair.
func formatPair(pair []byte) error {
	first, second := ring.Pair(pair, true)
	if err := ring.Format(first); err != nil {
		return err
	}
	return ring.Format(second)
}

// inbox is this process's, in memory that its peers write.
type inbox struct {
	*ring.Inbox
	memory  []byte
	segment *meeting.Segment // nil between ranks of one process
}

func (b *inbox) close() {
	if b.segment != nil {
		b.segment.Close()
	}
}

// useInbox returns the inbox of this process, which is made on first use. allocate makes its memory.
func (l *Link) useInbox(allocate func(size int) ([]byte, *meeting.Segment, error)) (*inbox, error) {
	l.life.Progress.Lock()
	defer l.life.Progress.Unlock()
	if l.inbox != nil {
		return l.inbox, nil
	}
	memory, segment, err := allocate(ring.InboxSize(l.cfg.Size))
	if err != nil {
		return nil, err
	}
	b := &inbox{memory: memory[:ring.InboxSize(l.cfg.Size)], segment: segment}
	if err = ring.FormatInbox(b.memory, l.cfg.Size); err == nil {
		b.Inbox, err = ring.NewInbox(b.memory, l.cfg.Size)
	}
	if err != nil {
		b.close()
		return nil, err
	}
	l.lock.Lock()
	l.made += len(memory)
	l.lock.Unlock()
	l.inbox = b
	return b, nil
}
