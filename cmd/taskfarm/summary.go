package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/sctpmpi/sctpmpi/mpi"
	"github.com/sctpmpi/sctpmpi/mpi/farm"
)

// summary is what is said of a run in the end.
type summary struct {
	Command   string `json:"command"`
	Tasks     int    `json:"tasks"`
	Ranks     int    `json:"ranks"`
	Lost      int    `json:"lost,omitempty"`     // of the ranks, that have died
	Again     int    `json:"again,omitempty"`    // tasks that were dealt again for it
	Restored  int    `json:"restored,omitempty"` // tasks that the checkpoint had
	Transport string `json:"transport"`
	Slots     int    `json:"slots"`
	Fanout    int    `json:"fanout"`
	Receives  string `json:"receives"`
	// Seconds is the wall time from the broadcast of the input to the last
	// result.
	Seconds float64 `json:"seconds"`
	*searchFigures
	*correlateFigures
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

type correlateFigures struct {
	Features int     `json:"features"`
	Proteins int     `json:"proteins"`
	Rate     float64 `json:"correlations_per_second"`
}

type syntheticFigures struct {
	TaskBytes      int64   `json:"task_bytes"`
	ResultBytes    int64   `json:"result_bytes"`
	ComputeSeconds float64 `json:"compute_seconds"`
	TasksPerSecond float64 `json:"tasks_per_second"`
	BytesPerSecond float64 `json:"bytes_per_second"`
}

func newSummary(world *mpi.Comm, s settings, tasks int, report farm.Report, wall time.Duration) summary {
	return summary{
		Command: s.plan.Command.String(), Tasks: tasks,
		Ranks: world.Size(), Lost: lost(world), Again: report.Again, Restored: report.Restored, Transport: world.Transport(),
		Slots: s.slots, Fanout: s.fanout, Receives: s.receives,
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
	fmt.Fprintf(t, "ranks\t%d over %s, slots %d, fanout %d", s.Ranks, s.Transport, s.Slots, s.Fanout)
	if s.Lost > 0 {
		fmt.Fprintf(t, "; %d died", s.Lost)
	}
	if s.Again > 0 {
		fmt.Fprintf(t, ", tasks dealt again %d", s.Again)
	}
	if s.Restored > 0 {
		fmt.Fprintf(t, "; tasks from the checkpoint %d", s.Restored)
	}
	fmt.Fprintln(t)
	fmt.Fprintf(t, "time\t%.3f s: %s\n", s.Seconds, s.rate)
	fmt.Fprintf(t, "checksum\t%s\n", s.Checksum)
	return t.Flush()
}
