package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// summary is what is said of a run in the end.
type summary struct {
	Command   string `json:"command"`
	Tasks     int    `json:"tasks"`
	Ranks     int    `json:"ranks"`
	Lost      int    `json:"lost,omitempty"` // of the ranks, that have died
	Transport string `json:"transport"`
	Fanout    int32  `json:"fanout"`
	// Seconds is the wall time from the broadcast of the input to the last
	// result.
	Seconds float64 `json:"seconds"`
	*searchFigures
	*syntheticFigures
	// Checksum is the beginning of the SHA-256 of the results in hexadecimal.
	Checksum string `json:"checksum"`

	what, rate string // for people
}

type searchFigures struct {
	Queries int     `json:"queries"`
	Targets int     `json:"targets"`
	Cells   int64   `json:"cells"`
	GCUPS   float64 `json:"gcups"`
}

type syntheticFigures struct {
	TaskBytes      int64   `json:"task_bytes"`
	ResultBytes    int64   `json:"result_bytes"`
	ComputeSeconds float64 `json:"compute_seconds"`
	TasksPerSecond float64 `json:"tasks_per_second"`
	BytesPerSecond float64 `json:"bytes_per_second"`
}

func newSummary(world *mpi.Comm, s settings, tasks int, wall time.Duration) summary {
	return summary{
		Command: s.plan.Command.String(), Tasks: tasks,
		Ranks: world.Size(), Lost: lost(world), Transport: world.Transport(), Fanout: s.plan.Fanout,
		Seconds: wall.Seconds(),
	}
}

// lost is how many ranks of a communicator are known to have died.
func lost(c *mpi.Comm) int {
	failed, err := c.GetFailed()
	if err != nil {
		return 0
	}
	return failed.Size()
}

func (s *summary) setChecksum(sum [sha256.Size]byte) { s.Checksum = fmt.Sprintf("%x", sum[:8]) }

// print prints the summary: for people to standard error, so that standard
// output has results alone, or as JSON to standard output.
func (s summary) print(asJSON bool, out output) error {
	if asJSON {
		return json.NewEncoder(out.stdout).Encode(s)
	}
	t := tabwriter.NewWriter(out.stderr, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "%s\t%s\n", s.Command, s.what)
	fmt.Fprintf(t, "ranks\t%d over %s, fanout %d", s.Ranks, s.Transport, s.Fanout)
	if s.Lost > 0 {
		fmt.Fprintf(t, "; %d died", s.Lost)
	}
	fmt.Fprintln(t)
	fmt.Fprintf(t, "time\t%.3f s: %s\n", s.Seconds, s.rate)
	fmt.Fprintf(t, "checksum\t%s\n", s.Checksum)
	return t.Flush()
}
