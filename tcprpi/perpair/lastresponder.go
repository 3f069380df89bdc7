package perpair

import "github.com/sctpmpi/sctpmpi/tcprpi/internal/socket"

// If many events in a row came from one connection, as answers to what was sent there, that
// connection is the last responder: polls in a row read it directly, and only one poll of so many
// asks the watcher. Before a goroutine blocks the watcher is asked again; it does not report what
// has already been read. A peer that sends without being answered is not made the last responder:
// it is better to let more of its data arrive before reading.
const (
	enoughInARow = 16
	pollEvery    = 8
)

// PollFast implements driver.FastPoller: it reads the last responder.
func (t inside) PollFast(bool) (bool, error) {
	t.life.Progress.Lock()
	c := t.lastResponder.Load()
	t.fastPolls++
	if c == nil || len(t.again) > 0 || t.fastPolls%pollEvery == 0 {
		t.life.Progress.Unlock()
		return t.Poll()
	}
	defer t.life.Progress.Unlock()
	some := t.serve(c, socket.Event{Readable: true})
	if some {
		t.answered(c)
	}
	t.note()
	return some, nil
}

// answered notes that a connection had something to read.
func (t *Transport) answered(c *conn) {
	if answer := c.asked.Swap(false); c != t.latest || !answer {
		t.latest, t.inARow = c, 0
	}
	if t.inARow++; t.inARow >= enoughInARow {
		t.lastResponder.Store(c)
	} else if t.lastResponder.Load() != nil {
		t.lastResponder.Store(nil)
	}
}
