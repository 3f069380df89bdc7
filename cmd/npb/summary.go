package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/sctpmpi/sctpmpi/cmd/internal/npb/kernels"
	"github.com/sctpmpi/sctpmpi/mpi"
)

// summary is what is said of a kernel's run.
type summary struct {
	Kernel     string  `json:"kernel"`
	Class      string  `json:"class"`
	Size       string  `json:"size"`
	Iterations int     `json:"iterations"`
	Ranks      int     `json:"ranks"`
	Transport  string  `json:"transport"`
	Seconds    float64 `json:"seconds"`
	Mops       float64 `json:"mops"`
	// MopsPerRank is Mops divided by Ranks.
	MopsPerRank float64 `json:"mops_per_rank"`
	Verified    bool    `json:"verified"`
	Checks      []check `json:"checks"`
}

// check is a value that was verified.
type check struct {
	Name  string  `json:"name"`
	Got   float64 `json:"got"`
	Want  float64 `json:"want"`
	Error float64 `json:"error"`
	OK    bool    `json:"ok"`
}

func newSummary(k kernels.Kernel, class kernels.Class, world *mpi.Comm, r kernels.Result) summary {
	s := summary{
		Kernel: k.Name, Class: class.String(), Size: r.Size, Iterations: r.Iterations,
		Ranks: world.Size(), Transport: world.Transport(),
		Seconds: r.Seconds, Mops: r.Mops(), MopsPerRank: r.Mops() / float64(world.Size()),
		Verified: r.Verified(),
	}
	for _, c := range r.Checks {
		s.Checks = append(s.Checks, check{c.Name, c.Got, c.Want, c.Error(), c.OK()})
	}
	return s
}

// print prints the summary, as a table or as a line of JSON.
func (s summary) print(asJSON bool, stdout io.Writer) error {
	if asJSON {
		return json.NewEncoder(stdout).Encode(s)
	}
	t := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "%s\tclass %s: %s, iterations %d\n", strings.ToUpper(s.Kernel), s.Class, s.Size, s.Iterations)
	fmt.Fprintf(t, "ranks\t%d over %s\n", s.Ranks, s.Transport)
	fmt.Fprintf(t, "time\t%.3f s: %.1f Mop/s, %.1f per rank\n", s.Seconds, s.Mops, s.MopsPerRank)
	verdict := "SUCCESSFUL"
	if !s.Verified {
		verdict = "FAILED"
	}
	for i, c := range s.Checks {
		what := "verification"
		if i > 0 {
			what, verdict = "", strings.Repeat(" ", len(verdict))
		}
		fmt.Fprintf(t, "%s\t%s  %s %.15g, expected %.15g, error %.1e\n", what, verdict, c.Name, c.Got, c.Want, c.Error)
	}
	if len(s.Checks) == 0 {
		fmt.Fprintf(t, "verification\t%s: no values\n", verdict)
	}
	fmt.Fprintln(t)
	return t.Flush()
}
