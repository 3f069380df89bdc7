package sockettest

import (
	"bytes"
	"slices"
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

type fakeMessage struct {
	socket.Message
	body    []byte
	at      int
	mid     uint32
	expires time.Time
}

const fakePiece = 16 << 10

func (s *fake) Send(id socket.AssocID, messages []socket.Message) (int, error) {
	s.net.mu.Lock()
	defer s.net.mu.Unlock()
	a, err := s.find(id)
	if err != nil {
		return 0, err
	}
	for n := range messages {
		if err := a.send(&messages[n]); err != nil {
			a.move()
			return n, err
		}
	}
	a.move()
	return len(messages), nil
}

func (a *fakeAssoc) send(m *socket.Message) error {
	f := fakeMessage{Message: *m, body: bytes.Join(m.Data, nil)}
	switch size := len(f.body); {
	case a.leaving || a.peer != nil && a.peer.leaving:
		return socket.ErrShutdown
	case size == 0:
		return socket.ErrEmpty
	case int(m.Stream) >= a.streams:
		return socket.ErrStream
	case size > a.s.config.SendBuffer:
		return socket.ErrTooLong
	case a.queued+size > a.s.config.SendBuffer:
		a.blocked = true
		return socket.ErrWouldBlock
	}
	if m.Lifetime > 0 {
		f.expires = time.Now().Add(m.Lifetime)
	}
	if flaw := a.s.net.flaw; flaw == aliasCopied && !m.ZeroCopy || flaw == aliasLent && m.ZeroCopy {
		f.body = m.Data[0]
	}
	if a.s.net.flaw == overtaking && len(a.queue) > 0 {
		a.queue = slices.Insert(a.queue, len(a.queue)-1, f)
	} else {
		a.queue = append(a.queue, f)
	}
	a.queued += len(f.body)
	return nil
}

// next returns the message that the scheduler wants sent next.
func (a *fakeAssoc) next() *fakeMessage {
	if a.current != nil {
		return a.current
	}
	score := func(m *fakeMessage) int {
		switch a.s.config.Scheduler {
		case socket.RoundRobin:
			return a.served[m.Stream] << 10
		case socket.Priority:
			return a.values[m.Stream]
		case socket.Weighted:
			return a.served[m.Stream] << 10 / max(1, a.values[m.Stream])
		}
		return 0
	}
	best := 0
	if a.s.config.Scheduler != socket.FirstCome {
		for i := range a.queue {
			if score(&a.queue[i]) < score(&a.queue[best]) {
				best = i
			}
		}
	}
	m := a.queue[best]
	a.queue = slices.Delete(a.queue, best, best+1)
	a.served[m.Stream]++
	if !m.expires.IsZero() && time.Now().After(m.expires) {
		a.queued -= len(m.body)
		a.release(&m, socket.Expired)
		return nil
	}
	a.mid++
	m.mid = a.mid
	a.current = &m
	return a.current
}

// move gives the peer what it has room for.
func (a *fakeAssoc) move() {
	if a.peer == nil {
		return
	}
	for a.current != nil || len(a.queue) > 0 {
		// An expired message must not be taken off the queue early.
		if a.peer.holds >= a.peer.s.config.ReceiveBuffer {
			break
		}
		m := a.next()
		if m == nil {
			continue
		}
		room := a.peer.s.config.ReceiveBuffer - a.peer.holds
		if a.peer.s.config.WholeMessages && a.peer.holds > 0 && len(m.body) > room {
			break
		}
		a.piece(m)
	}
	if a.blocked && (a.queued < a.s.config.SendBuffer/2 || a.queued == 0) && a.s.net.flaw != noWritable {
		a.blocked = false
		a.emit(socket.Event{Kind: socket.Writable})
	}
	if a.peer != nil && (a.leaving || a.peer.leaving) {
		a.tryClose()
	}
}

// piece moves a piece of a message, or all of it to a receiver of whole messages.
func (a *fakeAssoc) piece(m *fakeMessage) {
	for {
		body := m.body[m.at:min(m.at+fakePiece, len(m.body))]
		e := socket.Event{
			Kind: socket.Data, Stream: m.Stream, PPID: m.PPID, MID: m.mid, Unordered: m.Unordered,
			Begin: m.at == 0, End: m.at+len(body) == len(m.body), Memory: new(fakeMemory),
		}
		if e.Payload = body; a.s.net.flaw != aliasLent && a.s.net.flaw != aliasCopied {
			e.Payload = bytes.Clone(body)
		}
		m.at += len(body)
		a.queued -= len(body)
		a.peer.holds += len(body)
		a.counters.ChunksSent++
		a.counters.PacketsSent++
		a.counters.PacketsReceived++
		a.peer.counters.ChunksReceived++
		a.peer.counters.PacketsReceived++
		a.peer.counters.PacketsSent++
		a.counters.BytesSent += uint64(len(body))
		a.peer.counters.BytesReceived += uint64(len(body))
		a.s.net.count++
		a.peer.emitData(e)
		if e.End {
			a.current = nil
			a.release(m, socket.Acknowledged)
			return
		}
		if !a.peer.s.config.WholeMessages {
			return
		}
	}
}

func (a *fakeAssoc) release(m *fakeMessage, outcome socket.Outcome) {
	if m.ZeroCopy {
		a.emitReleased(socket.Event{Kind: socket.Released, Owner: m.Owner, Outcome: outcome})
	}
}

// fakeMemory is memory that knows whether it has been released.
type fakeMemory struct{ released bool }

func (m *fakeMemory) Release() {
	if m.released {
		panic("memory released twice")
	}
	m.released = true
}
