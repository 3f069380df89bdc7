package publish

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/record"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/report"
)

// Data are the results of one experiment, or a part of them.
type Data struct {
	page  *page
	link  string // of the CSV file, from the page
	cells []*Cell
}

// Cell is what has come of the jobs of a case with a variant.
type Cell struct {
	Variant string
	factors []factor
	jobs    int // that count
	failed  int
	values  map[string][]float64 // of those that count, by metric
	late    []float64            // by how much timers were late in them at worst, ms
}

// factor is something that differs between cases.
type factor struct{ name, value string }

// read reads a CSV file that has the results of one experiment.
func read(name string) (*Data, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(lines) < 2 {
		return nil, fmt.Errorf("%s has no results", name)
	}
	d := &Data{}
	columns := lines[0]
	jobs := map[string]map[string]string{} // the last line of each: one that was disturbed has been run again
	var order []string
	for _, line := range lines[1:] {
		job := map[string]string{}
		for i, column := range columns {
			job[column] = line[i]
		}
		if job["experiment"] != lines[1][slices.Index(columns, "experiment")] {
			return nil, fmt.Errorf("%s has results of several experiments", name)
		}
		key := job["case"] + "\x00" + job["variant"] + "\x00" + job["round"]
		if jobs[key] == nil {
			order = append(order, key)
		}
		jobs[key] = job
	}
	for _, key := range order {
		d.add(jobs[key], columns)
	}
	slices.SortStableFunc(d.cells, func(a, b *Cell) int {
		if c := slices.CompareFunc(a.factors, b.factors, compareFactors); c != 0 {
			return c
		}
		return compareVariants(a.Variant, b.Variant)
	})
	return d, nil
}

// add counts a job.
func (d *Data) add(job map[string]string, columns []string) {
	factors := factorsOf(job["case"])
	var c *Cell
	for _, other := range d.cells {
		if other.Variant == job["variant"] && slices.Equal(other.factors, factors) {
			c = other
		}
	}
	if c == nil {
		c = &Cell{Variant: job["variant"], factors: factors, values: map[string][]float64{}}
		d.cells = append(d.cells, c)
	}
	switch record.Status(job["status"]) {
	case record.Done:
		c.jobs++
		if v, err := strconv.ParseFloat(job["late"], 64); err == nil {
			c.late = append(c.late, v)
		}
	case record.Failed, record.TimedOut:
		c.failed++
		return
	default: // it was disturbed
		return
	}
	for _, metric := range columns {
		if v, err := strconv.ParseFloat(job[metric], 64); err == nil && !slices.Contains(report.JobColumns, metric) {
			c.values[metric] = append(c.values[metric], v)
		}
	}
}

// factorsOf takes a case's name apart: "bulk=30 KiB, all it can, loss=1%" has two factors.
func factorsOf(name string) (factors []factor) {
	for part := range strings.SplitSeq(name, ", ") {
		if name, value, ok := strings.Cut(part, "="); ok {
			factors = append(factors, factor{name, value})
		} else if n := len(factors); n > 0 {
			factors[n-1].value += ", " + part
		}
	}
	return factors
}

// compareFactors puts numbers in their order, with the units that the experiments have.
func compareFactors(a, b factor) int {
	if c := cmp.Compare(a.name, b.name); c != 0 {
		return c
	}
	x, xUnit := number(a.value)
	y, yUnit := number(b.value)
	return cmp.Or(cmp.Compare(x, y), cmp.Compare(xUnit, yUnit))
}

// number takes a value's first number and what follows it apart.
func number(value string) (float64, string) {
	end := strings.IndexFunc(value, func(r rune) bool { return (r < '0' || r > '9') && r != '.' })
	if end < 0 {
		end = len(value)
	}
	v, _ := strconv.ParseFloat(value[:end], 64)
	return v, value[end:]
}

// compareVariants puts a transport's variants behind it.
func compareVariants(a, b string) int {
	at := func(variant string) int {
		transport, _, _ := strings.Cut(variant, ",")
		return slices.Index(plan.Transports, transport)
	}
	return cmp.Or(cmp.Compare(at(a), at(b)), cmp.Compare(a, b))
}

// Where returns the part whose cases have all these factors, each as "loss=1%".
func (d *Data) Where(factors ...string) (*Data, error) {
	part := *d
	part.cells = nil
	for _, c := range d.cells {
		if c.has(factors) {
			part.cells = append(part.cells, c)
		}
	}
	if part.cells == nil {
		return nil, fmt.Errorf("%s has no case with %s", d.link, strings.Join(factors, ", "))
	}
	return &part, nil
}

// Without returns the part whose cases have none of these factors.
func (d *Data) Without(factors ...string) (*Data, error) {
	part := *d
	part.cells = nil
	for _, c := range d.cells {
		if !slices.ContainsFunc(factors, func(f string) bool { return c.has([]string{f}) }) {
			part.cells = append(part.cells, c)
		}
	}
	if len(part.cells) == 0 || len(part.cells) == len(d.cells) {
		return nil, fmt.Errorf("%s has all cases, or none, with %s", d.link, strings.Join(factors, ", "))
	}
	return &part, nil
}

// Of returns the part with these variants.
func (d *Data) Of(variants ...string) (*Data, error) {
	part := *d
	part.cells = nil
	for _, variant := range variants {
		n := len(part.cells)
		for _, c := range d.cells {
			if c.Variant == variant {
				part.cells = append(part.cells, c)
			}
		}
		if len(part.cells) == n {
			return nil, fmt.Errorf("%s has no variant %q", d.link, variant)
		}
	}
	return &part, nil
}

// Cell returns the only cell of a variant whose case has all these factors.
func (d *Data) Cell(variant string, factors ...string) (*Cell, error) {
	var found *Cell
	for _, c := range d.cells {
		if c.Variant == variant && c.has(factors) {
			if found != nil {
				return nil, fmt.Errorf("%s has several cases of %s with %s", d.link, variant, strings.Join(factors, ", "))
			}
			found = c
		}
	}
	if found == nil {
		return nil, fmt.Errorf("%s has no case of %s with %s", d.link, variant, strings.Join(factors, ", "))
	}
	return found, nil
}

// Simulated is what ends the names of all variants of results in virtual time, and empty for those of a lab: so a template can
// name a variant in either.
func (d *Data) Simulated() string {
	const end = ", simulated"
	for _, c := range d.cells {
		if !strings.HasSuffix(c.Variant, end) {
			return ""
		}
	}
	return end
}

// Has says whether there is a job that counts of a variant with all these factors.
func (d *Data) Has(variant string, factors ...string) bool {
	return slices.ContainsFunc(d.cells, func(c *Cell) bool {
		return c.Variant == variant && c.jobs > 0 && c.has(factors)
	})
}

func (c *Cell) has(factors []string) bool {
	for _, f := range factors {
		name, value, _ := strings.Cut(f, "=")
		if !slices.Contains(c.factors, factor{name, value}) {
			return false
		}
	}
	return true
}

// Jobs says how many jobs the cells have: "5 to 7".
func (d *Data) Jobs() string {
	least, most := d.jobs()
	if least == most {
		return strconv.Itoa(least)
	}
	return fmt.Sprintf("%d to %d", least, most)
}

// jobs are the least and the most of a cell, of those that have any.
func (d *Data) jobs() (least, most int) {
	for _, c := range d.cells {
		if c.jobs > 0 && (least == 0 || c.jobs < least) {
			least = c.jobs
		}
		most = max(most, c.jobs)
	}
	return least, most
}
