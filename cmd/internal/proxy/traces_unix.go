//go:build unix

package proxy

import (
	"os"
	"path/filepath"

	"github.com/sctpmpi/sctpmpi/cmd/internal/frame"
	"github.com/sctpmpi/sctpmpi/internal/trace"
)

// traces is a folder of this host for what its ranks record, empty if they record nothing. The folder of mpirun's own file need
// not be there, or may be the same one on all hosts.
type traces string

func newTraces() (traces, error) {
	dir, err := os.MkdirTemp("", "sctpmpi-trace-")
	return traces(dir), err
}

// name is that of the trace of which each rank writes its part.
func (t traces) name() string { return filepath.Join(string(t), "trace") }

// send sends the parts of the ranks, one after the other. A rank that has none has an empty stream.
func (t traces) send(c *conn, ranks []Rank) {
	if t == "" {
		return
	}
	for _, r := range ranks {
		s := c.stream(uint32(r.Number), frame.Trace)
		if part, err := os.Open(trace.FileOf(t.name(), r.Number)); err == nil {
			s.pump(part)
			_ = part.Close()
		}
		_ = s.Close()
	}
}

func (t traces) remove() {
	if t != "" {
		_ = os.RemoveAll(string(t))
	}
}
