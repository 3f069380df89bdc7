package sockettest

import (
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// fakeAssoc is one end of an association.
type fakeAssoc struct {
	s       *fake
	id      socket.AssocID
	peer    *fakeAssoc // nil before Up
	addr    socket.Addr
	streams int
	// queue is what has been sent and has not moved to the peer.
	queue         []fakeMessage
	queued, holds int
	mid           uint32
	// current has been moved in part.
	current  *fakeMessage
	blocked  bool
	leaving  bool
	counters socket.Counters
	// held has the data of streams that are held.
	held           map[socket.StreamID][]socket.Event
	served, values map[socket.StreamID]int
}

func (a *fakeAssoc) emit(e socket.Event) {
	e.Assoc = a.id
	if a.s.closed {
		return
	}
	if stash, ok := a.held[e.Stream]; ok && e.Kind == socket.Data {
		a.held[e.Stream] = append(stash, e)
	} else {
		a.s.events = append(a.s.events, e)
	}
	close(a.s.wake)
	a.s.wake = make(chan struct{})
}

// tryClose ends the association when both have nothing more to send.
func (a *fakeAssoc) tryClose() {
	b := a.peer
	if a.current != nil || b.current != nil || len(a.queue)+len(b.queue) > 0 {
		return
	}
	if !a.leaving {
		a.emit(socket.Event{Kind: socket.PeerShutdown})
	}
	if !b.leaving {
		b.emit(socket.Event{Kind: socket.PeerShutdown})
	}
	a.finish(socket.Event{Kind: socket.Closed})
	b.finish(socket.Event{Kind: socket.Closed})
}

// finish ends this end.
func (a *fakeAssoc) finish(e socket.Event) {
	if a.current != nil {
		a.release(a.current, socket.Unacknowledged)
	}
	for i := range a.queue {
		a.release(&a.queue[i], socket.Unsent)
	}
	delete(a.s.assocs, a.id)
	a.emit(e)
	if a.s.net.flaw == eventAfterEnd {
		a.emit(socket.Event{Kind: socket.PathDown, Addr: a.addr})
	}
}

func (a *fakeAssoc) abort(reason string) {
	if a.s.net.flaw == silentAbort && reason == "closed" {
		return
	}
	const userInitiated = 12
	a.finish(socket.Event{Kind: socket.Aborted, Err: &socket.AbortError{Cause: userInitiated, Reason: reason}})
	if a.peer != nil {
		a.peer.finish(socket.Event{Kind: socket.Aborted, Err: &socket.AbortError{
			Remote: true, Cause: userInitiated, Reason: reason[:min(len(reason), 1000)],
		}})
	}
}

func (s *fake) Shutdown(id socket.AssocID) error {
	s.net.mu.Lock()
	defer s.net.mu.Unlock()
	a, err := s.find(id)
	if err != nil {
		return err
	}
	a.leaving = true
	if s.net.flaw == hastyShutdown {
		a.queue = nil
	}
	a.move()
	return nil
}

func (s *fake) Abort(id socket.AssocID, reason string) error {
	s.net.mu.Lock()
	defer s.net.mu.Unlock()
	a, err := s.find(id)
	if err == nil {
		a.abort(reason)
	}
	return err
}

func (s *fake) Status(id socket.AssocID) (socket.Status, error) {
	s.net.mu.Lock()
	defer s.net.mu.Unlock()
	a, err := s.find(id)
	if err != nil {
		return socket.Status{}, err
	}
	st := socket.Status{
		Established: a.peer != nil, Outbound: a.streams, Inbound: a.streams,
		Queued: a.queued, Held: a.holds, PeerWindow: 1, Counters: a.counters,
	}
	if a.peer != nil {
		st.Interleaving = s.config.Interleaving && a.peer.s.config.Interleaving
		st.Paths = a.paths()
	}
	return st, nil
}

func (a *fakeAssoc) paths() []socket.PathStatus {
	var paths []socket.PathStatus
	for _, addr := range a.peer.s.local {
		paths = append(paths, socket.PathStatus{
			Addr: addr, Primary: addr == a.addr, Up: true, Confirmed: true, MTU: 65_535, Window: 1 << 16, RTO: time.Second,
		})
	}
	return paths
}
