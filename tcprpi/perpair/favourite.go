package perpair

import "github.com/sctpmpi/sctpmpi/tcprpi/internal/socket"

// After so many events in a row that were its own, and answers to what we had sent, a connection
// is the favourite: one who looks again and again reads it without asking the poller, which is
// asked at each so many looks only. Before anybody waits it is again: what the favourite has had
// read is not told twice. A peer that sends without being answered is better left alone until
// there is more to read.
const (
	favoured  = 16
	pollEvery = 8
)

// Glance implements progress.Glancer: it reads the favourite.
func (t inside) Glance() (bool, error) {
	t.progress.Lock()
	c := t.favourite.Load()
	t.glances++
	if c == nil || len(t.again) > 0 || t.glances%pollEvery == 0 {
		t.progress.Unlock()
		return t.Poll()
	}
	defer t.progress.Unlock()
	some := t.serve(c, socket.Event{Readable: true})
	if some {
		t.favour(c)
	}
	t.note()
	return some, nil
}

// favour takes in that a connection had something to read.
func (t *Transport) favour(c *conn) {
	if answer := c.asked.Swap(false); c != t.latest || !answer {
		t.latest, t.inARow = c, 0
	}
	if t.inARow++; t.inARow >= favoured {
		t.favourite.Store(c)
	} else if t.favourite.Load() != nil {
		t.favourite.Store(nil)
	}
}
