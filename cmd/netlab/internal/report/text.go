package report

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
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
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(tw, "case\tvariant\tjobs\t%s\n", strings.Join(s.Metrics, "\t"))
	for _, l := range s.Rows {
		c := ""
		if l.First {
			c = l.Case
		}
		fmt.Fprintf(tw, "%s\t%s\t%s\t%s\n", c, l.Variant, l.jobs(), strings.Join(l.Values, "\t"))
	}
	if err := tw.Flush(); err != nil {
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
func (l line) jobs() string {
	switch {
	case l.Done == 0 && l.Failed == 0:
		return "missing"
	case l.Failed > 0:
		return fmt.Sprintf("%d, %d failed", l.Done, l.Failed)
	}
	return fmt.Sprint(l.Done)
}

// Outcome says how many jobs were run of those planned, and how many failed.
func (s section) Outcome() string {
	run, missing := 0, 0
	for _, l := range s.Rows {
		run += l.Done + l.Failed
		if l.Done+l.Failed == 0 {
			missing++
		}
	}
	text := fmt.Sprintf("%d of %d jobs", run, s.Planned)
	if run < s.Planned {
		text = "time was up: " + text
	}
	if len(s.Failures) > 0 {
		text += fmt.Sprintf(", %d failed", len(s.Failures))
	}
	if missing > 0 {
		text += fmt.Sprintf("; %d of %d cells have none", missing, len(s.Rows))
	}
	return text
}

// failed is how many jobs have failed.
func (r *report) failed() (n int) {
	for _, s := range r.Sections {
		n += len(s.Failures)
	}
	return n
}
