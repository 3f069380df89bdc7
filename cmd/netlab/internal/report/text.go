package report

import (
	"fmt"
	"io"
	"strings"

	output "github.com/sctpmpi/sctpmpi/cmd/internal/report"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
)

// text writes the tables of the page for a terminal, each with how many of its jobs were run.
func (r *report) text(w io.Writer) error {
	if _, err := fmt.Fprint(w, "Messages take the network: shared memory is off for all ranks (SCTPMPI_SHM=off).\n\n"); err != nil {
		return err
	}
	for _, s := range r.Sections {
		if err := s.text(w); err != nil {
			return err
		}
	}
	return nil
}

func (s *section) text(w io.Writer) error {
	if _, err := fmt.Fprintf(w, "%s: %s\n\n", s.Name, s.Title); err != nil {
		return err
	}
	lines := [][]string{append([]string{"case", "variant", "jobs"}, s.Metrics...)}
	for _, r := range s.Rows {
		name := ""
		if r.First {
			name = r.Case
		}
		lines = append(lines, append([]string{name, r.Variant, r.jobs()}, r.Values...))
	}
	if err := output.Grid(w, 0, lines); err != nil {
		return err
	}
	for _, f := range s.Failures {
		first, _, _ := strings.Cut(f.Error, "\n")
		if _, err := fmt.Fprintf(w, "%s, %s, round %d: %s: %s\n", f.Case, f.Variant, f.Round, f.Status, first); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "\n%s: %s\n\n", s.Name, s.Outcome())
	return err
}

// jobs says how many a cell has.
func (r *row) jobs() string {
	if !r.Ran() {
		return "missing"
	}
	done := fmt.Sprint(r.Done)
	if r.Few {
		done = fmt.Sprintf("%d of %d", r.Done, plan.LeastJobs)
	}
	return done + counted(", ", r.Disturbed, "disturbed") + counted(", ", r.Failed, "failed")
}

// counted is so many jobs of a kind behind a separator, nothing if there are none.
func counted(separator string, n int, kind string) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%s%d %s", separator, n, kind)
}

// Outcome says how many jobs were run of those planned, and what is wrong with them.
func (s section) Outcome() string {
	run, failed := 0, 0
	for _, r := range s.Rows {
		run, failed = run+r.run(), failed+r.Failed
	}
	text := fmt.Sprintf("%d of %d jobs", run, s.Planned)
	if run < s.Planned {
		text = "time was up: " + text
	}
	var lacks Lacks
	lacks.add(s.Rows)
	text += counted(", ", lacks.Disturbed, "disturbed and not counted") + counted(", ", failed, "failed")
	for _, wrong := range lacks.cells() {
		text += "; " + wrong
	}
	if lacks.Few > 0 {
		text += ", too few to publish"
	}
	for _, name := range s.Undrawn {
		text += "; " + name + " is not drawn, as nothing of it has been measured"
	}
	return text
}
