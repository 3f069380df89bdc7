// Package ranks has the programs that the ranks of experiments run. They check what they receive, byte by byte.
package ranks

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// Begun is what a rank writes when the work begins that a plan.Cut, or the conditions of a case that is calm before, are to meet.
const Begun = "the work begins"

// Metrics are what a job has measured, by name.
type Metrics map[string]float64

// program is what a rank does with its parameters. Rank 0 returns the metrics.
type program struct {
	run  func(params json.RawMessage, self self) (Metrics, error)
	play func(world *mpi.Comm, params json.RawMessage, stdout io.Writer) (Metrics, error) // nil if it makes its own job
}

// self is what a rank knows of itself without MPI.
type self struct {
	rank   int
	stdout io.Writer
}

// programs by name.
var programs = map[string]program{
	"pingpong":     mpiProgram(pingpong),
	"farm":         mpiProgram(farming),
	"hol":          announcing(headOfLine),
	"senderqueue":  mpiProgram(senderQueue),
	"latereceiver": mpiProgram(lateReceiver),
	"longshort":    mpiProgram(longShort),
	"sockets":      mpiProgram(sockets),
	"streams":      mpiProgram(manyStreams),
	"connections":  {run: connections},
	"multihome":    announcing(multihome),
	"bulk":         announcing(bulk),
}

// Run runs a program with its parameters, in JSON. Rank 0 writes its metrics to stdout, as a line of JSON.
func Run(name string, params []byte, rank int, stdout io.Writer) error {
	p, found := programs[name]
	if !found {
		var known []string
		for name := range programs {
			known = append(known, name)
		}
		slices.Sort(known)
		return fmt.Errorf("no rank program %q; there are %s", name, strings.Join(known, ", "))
	}
	m, err := p.run(params, self{rank, stdout})
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if rank != 0 {
		return nil
	}
	line, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err) // a number that is none
	}
	_, err = fmt.Fprintf(stdout, "%s\n", line)
	return err
}
