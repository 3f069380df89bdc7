//go:build unix

package proxy

import (
	"os"
	"path/filepath"

	"github.com/sctpmpi/sctpmpi/cmd/internal/frame"
	"github.com/sctpmpi/sctpmpi/internal/trace"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// records is a folder of this host for the files that its ranks record: traces and profiles. The folder that mpirun's user has named
// need not be there, or may be the same one on all hosts.
type records struct {
	folder string
	kinds  []recorded
}

// recorded is one kind of such files: the variable that asks ranks for them, with its value, and the file of a rank.
type recorded struct {
	stream          frame.Stream
	variable, value string
	file            func(rank int) string
}

// newRecords makes the folder for what a part asks for.
func newRecords(part *Part) (r records, err error) {
	if !part.Trace && !part.Profile {
		return r, nil
	}
	if r.folder, err = os.MkdirTemp("", "sctpmpi-records-"); err != nil {
		return r, err
	}
	if part.Trace {
		name := filepath.Join(r.folder, "trace")
		r.kinds = append(r.kinds, recorded{frame.Trace, rpi.EnvTrace, name, func(rank int) string { return trace.FileOf(name, rank) }})
	}
	if part.Profile {
		r.kinds = append(r.kinds, recorded{frame.Profile, rpi.EnvProfile, r.folder, func(rank int) string { return ProfileOf(r.folder, rank) }})
	}
	return r, nil
}

// settings has ranks record.
func (r *records) settings() (env []string) {
	for _, k := range r.kinds {
		env = append(env, k.variable+"="+k.value)
	}
	return env
}

// send sends the files, one after the other. A rank that has none has an empty stream.
func (r *records) send(c *conn, ranks []Rank) {
	for _, k := range r.kinds {
		for _, rank := range ranks {
			s := c.stream(uint32(rank.Number), k.stream)
			if file, err := os.Open(k.file(rank.Number)); err == nil {
				s.pump(file)
				_ = file.Close()
			}
			_ = s.Close()
		}
	}
}

func (r *records) remove() {
	if r.folder != "" {
		_ = os.RemoveAll(r.folder)
	}
}
