package ring

import "sync/atomic"

// Producer is the end of a ring that writes. It is for one goroutine at a time, but that the Inbox may look at it meanwhile.
type Producer struct {
	ring
	at   int    // offset of the next slot
	head uint64 // position of the next slot: how many have been written
	free int    // slots
	err  error

	// The Inbox looks at these too.
	seen    atomic.Uint64 // how many the consumer is known to have given back
	starved atomic.Bool   // since Starve
}

// NewProducer opens the writing end of a ring that is formatted and empty. Errors: ErrMemory, ErrFormat.
func NewProducer(mem []byte) (*Producer, error) {
	r, err := open(mem)
	if err != nil {
		return nil, err
	}
	return &Producer{ring: r, free: r.slots}, nil
}

// Put copies a frame into the ring and publishes it. It reports whether there was room. A Notifier then tells the receiver,
// once for any number of frames. Errors: ErrTooLong, after which the ring is as before, and ErrBreach.
func (p *Producer) Put(header *[HeaderSize]byte, body []byte) (bool, error) {
	slots := slotsFor(len(body))
	if slots > p.free || len(body) > p.limit || p.err != nil {
		if ok, err := p.reserve(len(body)); !ok {
			return false, err
		}
	}
	slot := p.lines[p.at:]
	*(*[HeaderSize]byte)(slot[headerOffset:bodyOffset]) = *header
	if n := copy(slot[bodyOffset:], body); n < len(body) {
		copy(p.lines, body[n:])
	}
	wordAt(slot, 0).Store(frameWord(p.head, len(body)))
	p.head += uint64(slots)
	p.free -= slots
	p.at = p.advance(p.at, slots)
	if p.starved.Load() {
		p.starved.Store(false)
	}
	if slots == 1 && p.head%ahead == 0 {
		p.own()
	}
	return true, nil
}

// ahead is how many slots a producer of short frames makes its own at a time.
const ahead = 8

// own writes a byte to each of the next free slots, but for the first one, at which the consumer looks. The processor gets
// their lines from the other one's cache all at once, and the frames that follow need not wait for one line after the other:
// an atomic store waits for all stores before it.
func (p *Producer) own() {
	if p.free <= ahead {
		return
	}
	at := p.at
	for range ahead {
		at = p.advance(at, 1)
		p.lines[at+LineSize-1] = 0
	}
}

// reserve looks again at what the consumer has given back, and reports whether a frame with a body of length bytes fits.
func (p *Producer) reserve(length int) (bool, error) {
	if p.err != nil {
		return false, p.err
	}
	if length > p.limit {
		return false, ErrTooLong
	}
	taken := p.taken.Load()
	if p.head-taken > p.head-p.seen.Load() { // positions wrap around
		p.err = errTaken
		return false, p.err
	}
	p.seen.Store(taken)
	p.free = p.slots - int(p.head-taken)
	return slotsFor(length) <= p.free, nil
}

// Room is the longest body that Put has room for now, in bytes, -1 if there is no room for a frame. Errors: ErrBreach.
func (p *Producer) Room() (int, error) {
	if _, err := p.reserve(0); err != nil {
		return -1, err
	}
	if p.free == 0 {
		return -1, nil
	}
	return min(p.free*LineSize-bodyOffset, p.limit), nil
}

// Starve asks the consumer to tell, by its Done, when it gives back slots, and then looks once more whether a frame with a
// body of length bytes fits. If not, the Inbox finds this peer when there is more room than now. Errors: ErrTooLong,
// ErrBreach.
func (p *Producer) Starve(length int) (room bool, err error) {
	p.starved.Store(true) // before the consumer is asked: the Inbox, which may look meanwhile, lowers the bit of a peer that does not starve
	p.ring.starved.Store(1)
	room, err = p.reserve(length)
	if room || err != nil {
		p.starved.Store(false)
	}
	return room, err
}

// relieved reports whether slots have been given back since Starve.
func (p *Producer) relieved() bool { return p.starved.Load() && p.taken.Load() != p.seen.Load() }

// What a producer has written of its end.
const (
	left    = 1 + iota // this process has left
	givenUp            // it takes the consumer's process for dead
)

// Close tells the consumer that no frame follows, nor anything else of this process: Consumer.Closed. A Notifier must be told.
func (p *Producer) Close() { p.closed.CompareAndSwap(0, left) }

// GiveUp is Close by a process that takes the consumer's for dead: Consumer.GivenUp.
func (p *Producer) GiveUp() { p.closed.Store(givenUp) }
