package record

import (
	"slices"
	"sync"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// batch is the memory of records while the socket takes them.
type batch struct {
	messages []socket.Message
	lists    [][]byte // the data of each message
	bytes    []byte
}

// batches keep as many as are used at the same time.
var batches = sync.Pool{New: func() any { return new(batch) }}

// Send seals messages, and hands them to a socket, which must copy what it takes: see socket.Endpoint. Owners of zero-copy
// sends get their memory back as ever.
func (c *Cipher) Send(s socket.Endpoint, id socket.AssocID, messages []socket.Message) (taken int, err error) {
	b := batches.Get().(*batch)
	defer b.release()
	c.change()
	if err := b.seal(c, messages); err != nil {
		return 0, err
	}
	taken, err = s.Send(id, b.messages)
	c.sending.Count(taken)
	c.used = c.used || taken > 0
	for i := range messages[taken:] {
		c.sending.numbers[messages[taken+i].Stream]--
	}
	return taken, err
}

// seal makes records of messages.
func (b *batch) seal(c *Cipher, messages []socket.Message) (err error) {
	size := 0
	for i := range messages {
		size += messages[i].Len() + Overhead
	}
	b.bytes = slices.Grow(b.bytes, size)
	b.lists = slices.Grow(b.lists, len(messages))
	for i := range messages {
		m := messages[i]
		begin := len(b.bytes)
		if b.bytes, err = c.seal(b.bytes, &m); err != nil {
			return err
		}
		b.lists = append(b.lists, b.bytes[begin:])
		m.Data = b.lists[i : i+1]
		b.messages = append(b.messages, m)
	}
	return nil
}

// release gives the memory back.
func (b *batch) release() {
	clear(b.messages) // the owners
	b.messages, b.lists, b.bytes = b.messages[:0], b.lists[:0], b.bytes[:0]
	batches.Put(b)
}
