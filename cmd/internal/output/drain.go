package output

import (
	"errors"
	"os"
	"sync/atomic"
	"time"
)

// Source is the reading end of something that a process writes to; [*os.File] is one.
type Source interface {
	Read([]byte) (int, error)
	SetReadDeadline(time.Time) error
	Close() error
}

// Drain is a Source that can be told that its process is gone.
type Drain struct {
	Source
	idle atomic.Int64 // nanoseconds without output after which to give up, or 0
}

// NewDrain returns a Drain of a source.
func NewDrain(source Source) *Drain { return &Drain{Source: source} }

// Start says that the process is gone. What is left is still read, however slowly. If another process holds the source open but
// writes nothing for twice the time idle, reading ends.
func (d *Drain) Start(idle time.Duration) {
	d.idle.Store(int64(idle))
	if err := d.SetReadDeadline(time.Now().Add(idle)); err != nil {
		_ = d.Close() // a system whose pipes have no deadlines, or done already
	}
}

// Read implements [io.Reader]. The error at the end of a drain is [os.ErrDeadlineExceeded].
func (d *Drain) Read(b []byte) (int, error) {
	for vain := 0; ; {
		if idle := time.Duration(d.idle.Load()); idle > 0 {
			_ = d.SetReadDeadline(time.Now().Add(idle))
		}
		n, err := d.Source.Read(b)
		if n > 0 || !errors.Is(err, os.ErrDeadlineExceeded) {
			return n, err
		}
		if vain++; vain == 2 { // the first may have been that of Start, or have passed before the read began
			return 0, err
		}
	}
}
