package endpoint

import (
	"fmt"
	"net/netip"
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/assoc"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/cookie"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Connect begins an association: see socket.Socket.
func (e *Endpoint) Connect(now time.Duration, addrs ...socket.Addr) (socket.AssocID, error) {
	if len(addrs) == 0 || len(addrs) > cookie.MaxAddrs+1 {
		return 0, fmt.Errorf("%w: %d addresses, must be 1 to %d", socket.ErrAddr, len(addrs), cookie.MaxAddrs+1)
	}
	remote := make([]netip.AddrPort, len(addrs))
	for i, addr := range addrs {
		addr.IP = addr.IP.Unmap()
		switch {
		case !validPeerAddress(addr.IP) || addr.Port == 0:
			return 0, fmt.Errorf("%w: %v", socket.ErrAddr, addr)
		case addr.UDP == 0:
			return 0, fmt.Errorf("%w: %v has no UDP port to encapsulate in", socket.ErrAddr, addr)
		case addr.Port != addrs[0].Port:
			return 0, fmt.Errorf("%w: %v has another SCTP port than %v", socket.ErrAddr, addr, addrs[0])
		}
		remote[i] = netip.AddrPortFrom(addr.IP, addr.UDP)
		if en := e.byPeer[peer{remote[i], addr.Port}]; en != nil && en.Confirmed(remote[i]) {
			e.authenticated(en)
			return en.ID(), nil
		}
	}
	if en := e.ofOwner(remote[0]); en != nil {
		e.authenticated(en)
		return en.ID(), nil
	}
	if err := e.passable(addrs); err != nil {
		return 0, err
	}
	if !e.room() {
		return 0, fmt.Errorf("%w: %d", socket.ErrTooMany, len(e.byID))
	}
	en := e.add(now, assoc.Connect(&e.host, e.newID(), now, e.newTag(), addrs[0].Port, remote))
	return en.ID(), nil
}

// ofOwner returns the association of the peer to which an address belongs, as a guard says: the peer may have begun it from another one.
func (e *Endpoint) ofOwner(at netip.AddrPort) *entry {
	if g := e.host.Config.Guard; g != nil {
		if theirs := e.bySender[g.Owner(at)]; len(theirs) > 0 {
			return theirs[len(theirs)-1]
		}
	}
	return nil
}

// passable returns an error if all routes to a peer are too narrow.
func (e *Endpoint) passable(addrs []socket.Addr) (err error) {
	for _, addr := range addrs {
		addr.IP = addr.IP.Unmap()
		if err = e.host.Passable(addr); err == nil {
			return nil
		}
	}
	return err
}

// get returns the association of an ID that the user has named.
func (e *Endpoint) get(id socket.AssocID) (*entry, error) {
	if en := e.byID[id]; en != nil {
		en.seen = true
		return en, nil
	}
	return nil, socket.ErrAssoc
}

// Send queues messages: see socket.Socket.
func (e *Endpoint) Send(now time.Duration, id socket.AssocID, messages []socket.Message) (n int, err error) {
	en, err := e.get(id)
	if err != nil {
		return 0, err
	}
	for n < len(messages) {
		if err = en.Send(now, &messages[n]); err != nil {
			break
		}
		n++
	}
	if n > 0 {
		e.touch(en)
	}
	return n, err
}

// Shutdown ends an association gracefully.
func (e *Endpoint) Shutdown(now time.Duration, id socket.AssocID) error {
	return e.with(id, func(a *assoc.Association) { a.Shutdown(now) })
}

// Abort ends an association at once.
func (e *Endpoint) Abort(id socket.AssocID, reason string) error {
	return e.with(id, func(a *assoc.Association) { a.Abort(reason) })
}

func (e *Endpoint) with(id socket.AssocID, do func(*assoc.Association)) error {
	en, err := e.get(id)
	if err == nil && en.State() == assoc.Closed {
		err = socket.ErrAssoc
	}
	if err != nil {
		return err
	}
	do(en.Association)
	e.touch(en)
	return nil
}

// Poll fills in events and returns how many.
func (e *Endpoint) Poll(events []socket.Event) (n int) {
	if len(events) > 0 {
		e.settleReads()
	}
	for n < len(events) && !e.ready.Empty() {
		en := e.ready.Pop()
		for range turn {
			if n == len(events) || !en.Poll(&events[n]) {
				break
			}
			en.seen = true
			n++
		}
		e.polled(en)
	}
	return n
}

// polled notes that events have been taken from an association.
func (e *Endpoint) polled(en *entry) {
	if en.Dead() {
		e.remove(en)
		return
	}
	if en.Drained() {
		e.sending.Push(en, &en.sending)
	}
	if !en.Settled() {
		e.fresh.Push(en, &en.fresh)
	}
	e.wake(en)
}

// settleReads notes that the user comes for more events.
func (e *Endpoint) settleReads() {
	for !e.fresh.Empty() {
		if en := e.fresh.Pop(); en.Settle() {
			e.sending.Push(en, &en.sending)
		}
	}
}

// StreamReady reports whether PollStream has data. The error is ErrAssoc once the
// association has ended, when all its data is Poll's.
func (e *Endpoint) StreamReady(id socket.AssocID, stream socket.StreamID) (bool, error) {
	en, err := e.get(id)
	switch {
	case err != nil:
		return false, err
	case !en.HasStream(stream) && en.State().Connected():
		return false, fmt.Errorf("%w: stream %d", socket.ErrStream, stream)
	case en.StreamReady(stream):
		return true, nil
	case en.State() == assoc.Closed:
		return false, socket.ErrAssoc
	}
	return false, nil
}

// PollStream is Poll for the data of one stream.
func (e *Endpoint) PollStream(id socket.AssocID, stream socket.StreamID, events []socket.Event) (n int, err error) {
	en, err := e.get(id)
	if err != nil {
		return 0, err
	}
	if !en.HasStream(stream) {
		return 0, fmt.Errorf("%w: stream %d", socket.ErrStream, stream)
	}
	e.settleReads()
	for n < len(events) && en.PollStream(&events[n], stream) {
		n++
	}
	e.polled(en)
	return n, nil
}

// Hold keeps the data of a stream from Poll, or lets it go.
func (e *Endpoint) Hold(id socket.AssocID, stream socket.StreamID, hold bool) error {
	en, err := e.get(id)
	if err != nil {
		return err
	}
	err = en.Hold(stream, hold)
	e.wake(en)
	return err
}

// PutBack gives back a Data event that has been polled, but for its first taken bytes.
func (e *Endpoint) PutBack(event *socket.Event, taken int) error {
	en, err := e.get(event.Assoc)
	if err != nil {
		return err
	}
	err = en.PutBack(event, taken)
	e.wake(en)
	return err
}

// ReadyStreams appends the streams of an association that have data.
func (e *Endpoint) ReadyStreams(id socket.AssocID, streams []socket.StreamID) ([]socket.StreamID, error) {
	en, err := e.get(id)
	if err != nil {
		return streams, err
	}
	return en.ReadyStreams(streams), nil
}

// SetStreamValue sets what a stream counts for in the schedule.
func (e *Endpoint) SetStreamValue(id socket.AssocID, stream socket.StreamID, value uint16) error {
	en, err := e.get(id)
	if err != nil {
		return err
	}
	return en.SetStreamValue(stream, value)
}

// Status returns the state of an association.
func (e *Endpoint) Status(id socket.AssocID) (socket.Status, error) {
	en, err := e.get(id)
	if err != nil {
		return socket.Status{}, err
	}
	return en.Status(), nil
}

// Associations returns how many there are, those that have ended and have not been
// polled to their end among them.
func (e *Endpoint) Associations() int { return len(e.byID) }
