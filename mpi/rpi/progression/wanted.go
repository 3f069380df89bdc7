package progression

import (
	"sync/atomic"

	"github.com/sctpmpi/sctpmpi/internal/header"
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Wanted is the message that a goroutine looks for without a request: see rpi.ShortWay. It stands before all receives that are posted meanwhile. There is
// one at a time, that of the goroutine that drives.
type Wanted struct {
	rpi.Short
	status rpi.Status // once it is received
	state  atomic.Uint32
}

// The states of a Wanted.
const (
	unwanted = iota
	wanted
	// disturbed: something else has come of that TRC. A request sees to it.
	disturbed
	arrived
)

// Want begins to look for a message, unless it is no case for the short way, or has come already.
func (l *Layer) Want(m rpi.Short) bool {
	if l.peers[m.Peer].holds || !l.Receivable(m.Context, m.Peer, m.Tag) {
		return false
	}
	l.wanted.Short = m
	l.wanted.state.Store(wanted)
	return true
}

// Wanted is what Want has begun to look for.
func (l *Layer) Wanted() *Wanted { return &l.wanted }

// Unwant ends looking for a message, if it has not been received, and reports whether something else of its TRC has come.
func (l *Layer) Unwant() (other bool) {
	state := l.wanted.state.Load()
	if state != arrived {
		l.wanted.forget()
	}
	return state == disturbed
}

// Take returns the status of the message that has been received. The lock need not be held.
func (w *Wanted) Take() rpi.Status {
	s := w.status
	w.forget()
	return s
}

func (w *Wanted) forget() {
	w.Buf = nil
	w.state.Store(unwanted)
}

// Stirred reports whether there is nothing to look for any more.
func (w *Wanted) Stirred() bool { return w.state.Load() != wanted }

// Completed reports whether the message has been received.
func (w *Wanted) Completed() bool { return w.state.Load() == arrived }

// Kind is what it waits for.
func (w *Wanted) Kind() rpi.WaitKind { return rpi.ForArrival }

// names reports whether a frame is of the TRC that is looked for.
func (w *Wanted) names(from matching.Rank, h *header.Header) bool {
	return h.Tag == w.Tag && from == w.Peer && h.Context == w.Context && w.state.Load() == wanted
}

// fits reports whether the message can be received the short way.
func (w *Wanted) fits(m *matching.Envelope) bool {
	return m.Type == w.Type && m.Length <= uint64(len(w.Buf))
}

func (w *Wanted) complete(from matching.Rank, m *matching.Envelope) {
	w.status = rpi.StatusOf(from, m)
	w.state.Store(arrived)
}

// disturb has a request see to a frame that has not gone the short way.
func (w *Wanted) disturb(from matching.Rank, h *header.Header) {
	if w.names(from, h) {
		w.state.Store(disturbed)
	}
}
