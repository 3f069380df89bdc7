package ring

import (
	"fmt"
	"sync/atomic"
)

// Notifier is a peer's inbox as a sender sees it. It is safe for use by many goroutines.
type Notifier struct {
	asleep, processor *atomic.Uint64
	word              *atomic.Uint64 // of the bitmap
	bit               uint64
}

// NewNotifier opens the inbox of a peer, formatted for this many ranks, for the rank with a number among them. Errors:
// ErrMemory, ErrFormat.
func NewNotifier(mem []byte, ranks, number int) (*Notifier, error) {
	w, err := openInbox(mem, ranks)
	if err != nil {
		return nil, err
	}
	if number < 0 || number >= ranks {
		return nil, fmt.Errorf("%w: rank %d of %d", ErrMemory, number, ranks)
	}
	return &Notifier{asleep: w.asleep, processor: w.processor, word: w.bitmap[number/64], bit: bit(number)}, nil
}

// Notify tells the peer to look at its rings to and from this rank. It is called after frames have been put into one or
// Done has asked for it. It reports whether the peer's doorbell must be rung. It writes nothing while the peer is awake and
// looks at this rank's ring anyway.
func (n *Notifier) Notify() (ring bool) {
	if n.word.Load()&n.bit == 0 {
		n.word.Or(n.bit)
	}
	return n.Rouse()
}

// Rouse reports whether the peer's doorbell must be rung, as it sleeps. It is called alone where something is for the peer that is in no
// ring.
func (n *Notifier) Rouse() (ring bool) { return n.asleep.Load() != 0 && n.asleep.Swap(0) != 0 }
