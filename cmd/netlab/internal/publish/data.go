package publish

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/record"
)

// Data are the results of one experiment, or a part of them.
type Data struct {
	page  *page
	link  string // of the CSV file, from the page
	cells []*Cell
}

// Cell is what has come of the jobs of a case with a variant.
type Cell struct {
	*record.Cell
	factors []factor
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
	results, err := record.ReadCSV(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(results) == 0 {
		return nil, fmt.Errorf("%s has no results", name)
	}
	d := &Data{}
	for _, c := range record.Cells(results) {
		if c.Experiment != results[0].Experiment {
			return nil, fmt.Errorf("%s has results of several experiments", name)
		}
		d.cells = append(d.cells, &Cell{c, factorsOf(c.Case)})
	}
	slices.SortStableFunc(d.cells, func(a, b *Cell) int {
		return cmp.Or(slices.CompareFunc(a.factors, b.factors, compareFactors), compareVariants(a.Variant, b.Variant))
	})
	return d, nil
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

// part returns the part with some of the cells.
func (d *Data) part(keep func(*Cell) bool) *Data {
	part := *d
	part.cells = slices.DeleteFunc(slices.Clone(d.cells), func(c *Cell) bool { return !keep(c) })
	return &part
}

// Where returns the part whose cases have all these factors, each as "loss=1%".
func (d *Data) Where(factors ...string) (*Data, error) {
	part := d.part(func(c *Cell) bool { return c.has(factors) })
	if len(part.cells) == 0 {
		return nil, fmt.Errorf("%s has no case with %s", d.link, strings.Join(factors, ", "))
	}
	return part, nil
}

// Without returns the part whose cases have none of these factors.
func (d *Data) Without(factors ...string) (*Data, error) {
	part := d.part(func(c *Cell) bool {
		return !slices.ContainsFunc(factors, func(f string) bool { return c.has([]string{f}) })
	})
	if len(part.cells) == 0 || len(part.cells) == len(d.cells) {
		return nil, fmt.Errorf("%s has all cases, or none, with %s", d.link, strings.Join(factors, ", "))
	}
	return part, nil
}

// Of returns the part with these variants.
func (d *Data) Of(variants ...string) (*Data, error) {
	for _, variant := range variants {
		if !slices.Contains(d.Variants(), variant) {
			return nil, fmt.Errorf("%s has no variant %q", d.link, variant)
		}
	}
	return d.part(func(c *Cell) bool { return slices.Contains(variants, c.Variant) }), nil
}

// Cell returns the only cell of a variant whose case has all these factors.
func (d *Data) Cell(variant string, factors ...string) (*Cell, error) {
	found := d.part(func(c *Cell) bool { return c.Variant == variant && c.has(factors) }).cells
	if len(found) != 1 {
		number := map[bool]string{true: "no case", false: "several cases"}[len(found) == 0]
		return nil, fmt.Errorf("%s has %s of %s with %s", d.link, number, variant, strings.Join(factors, ", "))
	}
	return found[0], nil
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
		return c.Variant == variant && c.Done > 0 && c.has(factors)
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
		if c.Done > 0 && (least == 0 || c.Done < least) {
			least = c.Done
		}
		most = max(most, c.Done)
	}
	return least, most
}
