package ring

// Frame is a frame in a ring, as Consumer.Next returns it.
type Frame struct {
	// Header is a private copy, which the producer cannot change any more.
	Header [HeaderSize]byte
	// Body and Rest, one after the other, are the body. They lie in the ring, until Done, and the bytes may change while
	// they are read: what is to be checked has to be copied before. Rest is empty unless the frame goes on at the ring's
	// beginning.
	Body, Rest []byte
}

// Consumer is the end of a ring that reads. It is for one goroutine at a time.
type Consumer struct {
	ring
	at       int    // offset of the slot where the next frame begins
	next     uint64 // its position
	doneAt   int    // offset of the slot up to which all have been read
	done     uint64 // its position
	returned uint64 // what the producer has been told of done
	quarter  uint64 // of the ring, in slots
	long     bool   // there is a frame of more than one slot between done and next
	err      error
}

// NewConsumer opens the reading end of a ring that is formatted and from which nothing has been read. Errors: ErrMemory,
// ErrFormat.
func NewConsumer(mem []byte) (*Consumer, error) {
	r, err := open(mem)
	if err != nil {
		return nil, err
	}
	return &Consumer{ring: r, quarter: uint64(r.slots / 4)}, nil
}

// Closed reports whether the producer has closed its end. The frames before that can still be read.
func (c *Consumer) Closed() bool { return c.closed.Load() != 0 }

// GivenUp reports whether it has done so because it takes this process for dead.
func (c *Consumer) GivenUp() bool { return c.closed.Load() == givenUp }

// Ready reports whether Next will return a frame or an error.
func (c *Consumer) Ready() bool {
	return c.err != nil || isAt(wordAt(c.lines, c.at).Load(), c.next)
}

// Next puts the next frame into f, and reports whether there is one. Several frames can be read before Done, as many as
// the ring holds. Errors: ErrBreach, then and ever after.
func (c *Consumer) Next(f *Frame) (bool, error) {
	slot := c.lines[c.at:]
	word := wordAt(slot, 0).Load()
	if !isAt(word, c.next) || c.err != nil {
		return false, c.err
	}
	length := lengthOf(word)
	if length > c.limit {
		c.err = errLength
		return false, c.err
	}
	slots := slotsFor(length)
	next := c.next + uint64(slots)
	if next-c.returned > uint64(c.slots) {
		c.err = errOverrun
		return false, c.err
	}
	f.Header = [HeaderSize]byte(slot[headerOffset:bodyOffset])
	body := slot[bodyOffset:]
	if length <= len(body) {
		f.Body, f.Rest = body[:length:length], nil
	} else {
		rest := length - len(body)
		f.Body, f.Rest = body, c.lines[:rest:rest]
	}
	c.next = next
	c.long = c.long || slots > 1
	c.at = c.advance(c.at, slots)
	return true, nil
}

// Done ends the use of all frames that Next has returned. It is called before the consumer waits for more: the producer may
// need their slots. It gives them back once they are a quarter of the ring, and then reports whether the producer has
// asked to be told, which a Notifier does. The work is bounded by the number of slots read.
func (c *Consumer) Done() (starved bool) {
	if c.long {
		c.defuse()
		c.long = false
	}
	c.done, c.doneAt = c.next, c.at
	if c.done-c.returned < c.quarter {
		return false
	}
	c.returned = c.done
	c.taken.Store(c.done)
	return c.starved.Load() != 0 && c.starved.Swap(0) != 0
}

// defuse overwrites bytes of bodies that would be the word of a frame where the reader will look in the next lap.
func (c *Consumer) defuse() {
	for at, position := c.doneAt, c.done; position != c.next; position++ {
		word := wordAt(c.lines, at)
		if isAt(word.Load(), position+uint64(c.slots)) {
			word.Store(0)
		}
		at = c.advance(at, 1)
	}
}
