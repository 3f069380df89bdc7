package proxy

import (
	"io"
	"sync/atomic"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/internal/frame"
)

// Beat is how often each end of a connection says that it is there.
const Beat = 10 * time.Second

// silentBeats is after how many of these without a byte the other end counts as gone: after a minute.
const silentBeats = 6

// beat says every so often that this end is there, until the connection ends. When nothing has come for silentBeats of them it calls
// silent, once. A process that was stopped meanwhile finds one beat that it has missed, not all of them.
func (c *conn) beat(every time.Duration, silent func()) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	last, quiet := c.heard.Load(), 0
	for {
		select {
		case <-ticker.C:
		case <-c.gone:
			return
		}
		c.send(frame.Frame{Kind: frame.Alive})
		quiet++
		if now := c.heard.Load(); now != last || c.resting.Load() {
			last, quiet = now, 0
		}
		if quiet == silentBeats {
			silent()
			return
		}
	}
}

// ear counts the bytes that come to an end.
type ear struct {
	io.Reader
	heard *atomic.Uint64
}

func (e ear) Read(b []byte) (int, error) {
	n, err := e.Reader.Read(b)
	e.heard.Add(uint64(n))
	return n, err
}
