package sockettest

import (
	"errors"
	"fmt"
	"slices"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// partialKey tells the messages apart that are being received: of the ordered
// ones of a stream there is one.
type partialKey struct {
	stream    socket.StreamID
	unordered bool
	mid       uint32
}

type partial struct {
	message
	mid uint32
}

func kindName(k socket.Kind) string {
	names := []string{
		"Data", "Up", "Restarted", "PeerShutdown", "Closed", "Aborted", "Lost",
		"PathDown", "PathUp", "Writable", "Released",
	}
	if k < 1 || int(k) > len(names) {
		return fmt.Sprintf("Kind %d", k)
	}
	return names[k-1]
}

// fault reports that the socket has broken a rule of the contract.
func (a *assoc) fault(format string, args ...any) {
	const enough = 5
	if a.faults++; a.faults <= enough {
		a.e.s.Errorf("%s, association %d after %v: %s", a.e.name, a.id, a.history, fmt.Sprintf(format, args...))
	}
}

// take books an event and checks that it may happen now.
func (a *assoc) take(e *socket.Event) {
	a.e.mu.Lock()
	defer a.e.mu.Unlock()
	name := kindName(e.Kind)
	if a.id == 0 {
		a.fault("%s of association 0", name)
	}
	if a.end != nil {
		a.fault("%s after the event that ended the association", name)
	}
	a.seen[e.Kind]++
	if e.Kind != socket.Data && e.Kind != socket.Released {
		a.history = append(a.history, name)
	}
	if e.Kind != socket.Data && e.Memory != nil {
		a.fault("%s with memory to release", name)
	}
	switch e.Kind {
	case socket.Up:
		a.takeUp(e)
	case socket.Data:
		a.needUp(name)
		a.takePiece(e)
	case socket.Released:
		a.takeReleased(e)
	case socket.Writable:
		a.needUp(name)
		if a.credit--; a.credit < 0 {
			a.fault("Writable without ErrWouldBlock before")
		}
		a.blocked = false
	case socket.Restarted:
		a.needUp(name)
		clear(a.partial)
	case socket.PeerShutdown, socket.PathDown, socket.PathUp:
		a.needUp(name)
	case socket.Closed, socket.Aborted, socket.Lost:
		a.takeEnd(e)
	default:
		a.fault("there is no such event")
	}
}

func (a *assoc) needUp(name string) {
	if !a.up {
		a.fault("%s before Up", name)
	}
}

func (a *assoc) takeUp(e *socket.Event) {
	if a.up {
		a.fault("Up twice")
	}
	if len(a.released) > 0 {
		a.fault("Released before Up")
	}
	if !e.Addr.IP.IsValid() || e.Addr.Port == 0 {
		a.fault("Up without the peer's address: %v", e.Addr)
	}
	a.up, a.upAddr = true, e.Addr
}

func (a *assoc) takeReleased(e *socket.Event) {
	if !a.lent[e.Owner] {
		a.fault("Released %v, which is not lent: not taken by Send, or released before", e.Owner)
	}
	delete(a.lent, e.Owner)
	a.released = append(a.released, release{e.Owner, e.Outcome})
	if a.onRelease != nil {
		a.onRelease(e.Owner)
	}
}

func (a *assoc) takeEnd(e *socket.Event) {
	if len(a.lent) > 0 {
		a.fault("%s with %d messages still lent", kindName(e.Kind), len(a.lent))
	}
	if e.Kind == socket.Closed && len(a.partial) > 0 {
		a.fault("Closed with %d messages in part", len(a.partial))
	}
	var abort *socket.AbortError
	switch {
	case e.Kind == socket.Aborted && !errors.As(e.Err, &abort):
		a.fault("Aborted without an AbortError: %v", e.Err)
	case e.Kind == socket.Lost && e.Err == nil:
		a.fault("Lost without an error")
	}
	end := *e
	a.end = &end
}

func (a *assoc) takePiece(e *socket.Event) {
	k := partialKey{e.Stream, e.Unordered, e.MID}
	if !e.Unordered {
		k.mid = 0
	}
	m := a.partial[k]
	switch {
	case e.Begin && m != nil:
		a.fault("message %d of stream %d begins within message %d", e.MID, e.Stream, m.mid)
	case !e.Begin && m == nil:
		a.fault("piece of message %d of stream %d, which has not begun", e.MID, e.Stream)
		return
	case !e.Begin && m.mid != e.MID:
		a.fault("piece of message %d of stream %d within message %d", e.MID, e.Stream, m.mid)
	}
	if e.Broken {
		if len(e.Payload) > 0 {
			a.fault("broken message of stream %d has a payload", e.Stream)
		}
		a.broken++
		delete(a.partial, k)
		return
	}
	if e.Begin {
		m = &partial{message: message{Stream: e.Stream, PPID: e.PPID, Unordered: e.Unordered}, mid: e.MID}
		a.partial[k] = m
	}
	if len(e.Payload) == 0 {
		a.fault("piece of stream %d without data", e.Stream)
	}
	if e.PPID != m.PPID {
		a.fault("payload protocol of a message changes from %d to %d", m.PPID, e.PPID)
	}
	if e.Begin && e.End {
		m.Body = slices.Clone(e.Payload)
	} else {
		m.Body = append(m.Body, e.Payload...)
	}
	if e.End {
		a.messages = append(a.messages, m.message)
		delete(a.partial, k)
	}
}
