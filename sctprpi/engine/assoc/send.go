package assoc

import (
	"errors"
	"fmt"
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/assoc/tx"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/packet"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Send queues a message. See socket.Socket.Send for its errors, but for those that
// the endpoint gives.
func (a *Association) Send(now time.Duration, m *socket.Message) error {
	switch {
	case a.state == Closed:
		return socket.ErrAssoc
	case a.closing || a.state > Established:
		return socket.ErrShutdown
	}
	size := 0
	for _, piece := range m.Data {
		size += len(piece)
	}
	if err := a.admit(now, m, size); err != nil {
		return err
	}
	queued := tx.Message{
		Stream: streamID(m.Stream), PPID: wire.PPID(m.PPID),
		Unordered: m.Unordered, Immediate: m.Immediate, Lifetime: m.Lifetime,
		Data: m.Data, Owner: m.Owner,
	}
	if !m.Lend {
		c := a.host.copies.get(a.host.Pool, m.Data, size)
		queued.Data, queued.Owner = c.list[:], c
	}
	if a.out == nil {
		a.early = append(a.early, queued)
		a.earlyBytes += size + earlyCharge
		a.search(a.earlyBytes)
		return nil
	}
	if err := a.out.Queue(now, queued); err != nil {
		panic(err) // admit has seen to it
	}
	waiting, outstanding := a.out.Buffered()
	a.search(waiting + outstanding)
	return nil
}

// earlyCharge is what keeping a message counts for, as in tx.
const earlyCharge = tx.MessageCharge

// admit says whether a message may be queued.
func (a *Association) admit(now time.Duration, m *socket.Message, size int) error {
	buffer := a.host.Config.SendBuffer
	var err error
	switch {
	case a.out != nil:
		err = a.out.Admit(now, streamID(m.Stream), size)
	case size == 0:
		err = tx.ErrEmpty
	case int(m.Stream) >= a.host.Config.Streams:
		err = tx.ErrNoStream
	case size+earlyCharge > buffer:
		err = tx.ErrTooLong
	case a.earlyBytes+size+earlyCharge > buffer:
		a.earlyRefused = true
		err = tx.ErrWouldBlock
	}
	switch {
	case err == nil:
		return nil
	case errors.Is(err, tx.ErrStreamFull):
		return socket.ErrStreamFull
	case errors.Is(err, tx.ErrWouldBlock):
		return socket.ErrWouldBlock
	case errors.Is(err, tx.ErrEmpty):
		return socket.ErrEmpty
	case errors.Is(err, tx.ErrTooLong):
		return fmt.Errorf("%w: %d bytes of at most %d", socket.ErrTooLong, size, buffer-earlyCharge)
	default:
		return fmt.Errorf("%w: stream %d", socket.ErrStream, m.Stream)
	}
}

// SetStreamValue sets what a stream counts for in the schedule.
func (a *Association) SetStreamValue(id socket.StreamID, value uint16) error {
	if a.out == nil || a.state == Closed {
		return socket.ErrAssoc
	}
	if err := a.out.SetStreamValue(streamID(id), value); err != nil {
		return fmt.Errorf("%w: stream %d", socket.ErrStream, id)
	}
	return nil
}

// copied is a message that has been copied.
type copied struct {
	list   [1][]byte
	buffer *packet.Buffer // nil if list is too large for one, or small
	next   *copied
	small  [smallCopy]byte
}

// smallCopy is the longest message, in bytes, that has no Buffer, which would take longer to
// get and to give back than the message to copy.
const smallCopy = 128

// copyPool keeps them for reuse.
type copyPool struct {
	free *copied
	n    int
}

// keptCopies bounds the list.
const keptCopies = 4096

func (p *copyPool) get(pool *packet.Pool, data [][]byte, size int) *copied {
	c := p.free
	if c == nil {
		c = new(copied)
	} else {
		p.free, c.next = c.next, nil
		p.n--
	}
	var b []byte
	switch {
	case size <= smallCopy:
		b = c.small[:0]
	case size <= packet.MaxSize+1: // 64 KiB, the largest that a Pool lends
		c.buffer = pool.Get(size)
		b = c.buffer.Bytes[:0]
	default:
		b = make([]byte, 0, size)
	}
	for _, piece := range data {
		b = append(b, piece...)
	}
	c.list[0] = b
	return c
}

func (p *copyPool) put(c *copied) {
	if c.buffer != nil {
		c.buffer.Release()
	}
	c.list[0], c.buffer = nil, nil
	if p.n < keptCopies {
		c.next, p.free = p.free, c
		p.n++
	}
}
