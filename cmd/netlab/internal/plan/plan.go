// Package plan says what an experiment is: which cases, each with which variants of the library, how often, and what to
// draw of it.
package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sctpmpi/sctpmpi/internal/netem"
)

// LeastJobs is how many undisturbed jobs a cell must have to be published: with fewer no interval of their median has a confidence of
// 95%. A full plan measures each cell at least so often.
const LeastJobs = 6

// Transports are in the order of the documentation.
var Transports = []string{"tcp-perpair", "tcp-pertrc", "sctp-kernel", "sctp-engine", "sctp-pertrc"}

// Series are those of a drawing of variants. There is one for each of the transports, shown or not, before all others: so each has one
// colour in all drawings.
func Series(variants []string) []string {
	names := slices.Clone(Transports)
	for _, name := range variants {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// Experiment is a question to be answered by jobs.
type Experiment struct {
	Name     string // as the command line and file names have it
	Title    string
	Question string
	Setup    string // what a job does, for the report
	Cases    []Case
	Variants []Variant
	Metrics  []Metric
	Ratios   []Ratio
	Charts   []Chart

	// Ends says that the experiment asks how far variants go: jobs that fail are results then, and no fault of the run.
	Ends bool

	// Rounds is how often each cell, a case with a variant, is measured, as far as Budget goes, the time for all jobs: no job
	// is begun when it is spent, or would be if the job took as long as in the round before.
	Rounds int
	Budget time.Duration
}

// Case is what is the same for all variants.
type Case struct {
	Factors    []Factor
	Ranks      int // each on a host of its own, up to Hosts, then round again
	Hosts      int
	Links      int               // 1, a star; or 2, with two hosts
	Conditions netem.Conditions  // of all links
	Second     *netem.Conditions // of the second link of each host, if they are others
	Sent       netem.Conditions  // of what hosts send, before that
	Calm       bool              // the network loses and reorders nothing until a rank says that its work begins
	Cut        *Cut
	Program    string // of package ranks
	Params     any    // of the program, as JSON; of an application, what there is to do
	App        *App   // in place of the program
	Env        []string
	Sysctls    map[string]string // as those of a variant, which go before
	Timeout    time.Duration     // of a job at least: see Limit
	Only       []string          // names of the variants that take part, nil for all
}

// App is a program that users have, beside mpirun. It ends with a line of JSON that has "seconds" and the "checksum" of its answer.
type App struct {
	Name     string
	Args     []string
	Input    []byte // of rank 0
	Checksum string // of the right answer
}

// Cut takes the first link of all hosts away for a time, counted from when a rank says that it has begun.
type Cut struct{ After, For time.Duration }

// Factor is something that differs between cases.
type Factor struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Unit  string  `json:"unit,omitempty"`
	Label string  `json:"label,omitempty"` // in place of value and unit
}

// String returns the value with its unit.
func (f Factor) String() string {
	return cmp.Or(f.Label, fmt.Sprintf("%g%s", f.Value, f.Unit))
}

// Variant is a way to carry messages.
type Variant struct {
	Name      string
	Transport string
	Env       []string
	Sysctls   map[string]string // settings of all hosts' kernels, by names below /proc/sys
	TCPFloor  time.Duration     // of TCP's retransmission timeouts; 0 for the kernel's
}

// Among reports whether a variant is to be measured if these transports are, all if there are none. One without a transport
// always is.
func (v Variant) Among(transports []string) bool {
	return len(transports) == 0 || v.Transport == "" || slices.Contains(transports, v.Transport)
}

// Metric is what a job measures.
type Metric struct {
	Name  string // as in a job's result
	Title string
	Unit  string
}

// Ratio is a metric of each cell by that of another, which is the same but for its variant or for one of its factors.
type Ratio struct {
	Metric  string
	Variant string // of the other; empty for the same one
	Factor  string // by which the other differs, empty for none; then its value there is Value
	Value   float64
	Title   string
}

// Other returns the case that the ratio of a case is by, among all, and whether there is one.
func (r Ratio) Other(c *Case, all []Case) (*Case, bool) {
	if r.Factor == "" {
		return c, true
	}
	for i := range all {
		if len(all[i].Factors) == len(c.Factors) && r.alike(c, &all[i]) {
			return &all[i], true
		}
	}
	return nil, false
}

// alike reports whether a case is another but for the ratio's factor, of which it has the value.
func (r Ratio) alike(c, other *Case) bool {
	for i, f := range other.Factors {
		if f.Name == r.Factor && f.Value == r.Value {
			continue
		}
		if f.Name == r.Factor || f != c.Factors[i] {
			return false
		}
	}
	return true
}

// Chart is a drawing of a metric. There is one for each combination of the factors other than X.
type Chart struct {
	Metric     string
	X          string // a factor
	LogX, LogY bool
	Bars       bool
}

// ID names a case within its experiment.
func (c *Case) ID() string {
	names := make([]string, len(c.Factors))
	for i, f := range c.Factors {
		names[i] = f.Name + "=" + f.String()
	}
	return strings.Join(names, ", ")
}

// Network puts the conditions of links into words.
func (c *Case) Network() string {
	if c.Second == nil {
		return c.Conditions.String()
	}
	return c.Conditions.String() + "; second " + c.Second.String()
}

// Cell is a case with a variant.
type Cell struct {
	Case    *Case
	Variant *Variant
}

// Cells are all that are to be measured.
func (e *Experiment) Cells() []Cell {
	var cells []Cell
	for i := range e.Cases {
		for j := range e.Variants {
			cell := Cell{&e.Cases[i], &e.Variants[j]}
			if cell.takesPart() {
				cells = append(cells, cell)
			}
		}
	}
	return cells
}

func (c Cell) takesPart() bool {
	for _, name := range c.Case.Only {
		if name == c.Variant.Name {
			return true
		}
	}
	return c.Case.Only == nil
}

// Metric returns the metric of a name, which must be there.
func (e *Experiment) Metric(name string) Metric {
	for _, m := range e.Metrics {
		if m.Name == name {
			return m
		}
	}
	panic(fmt.Sprintf("experiment %s has no metric %q", e.Name, name))
}
