package tuning

import (
	"fmt"
	"math"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule"
)

// Factor bounds what a choice of the table costs: so many times the best choice, everywhere on the grid.
const Factor = 1.15

// Row is a row of the table: which says in the table's words which cases it is for. Unlimited stands for any number.
type Row struct {
	Ranks, Bytes int
	Which        string
	Choice       schedule.Choice
}

// Unlimited stands in a row for any number of ranks or bytes.
const Unlimited = math.MaxInt

// kinds are what rows can be for, by measurement, in the order in which they are preferred.
var kinds = []struct {
	name string
	fits func(Case) bool
}{
	{"always", func(Case) bool { return true }},
	{"commuting", func(c Case) bool { return c.Commutes }},
	{"uneven", Case.uneven},
}

// measured is a case that no row is for yet, and what each choice costs there, as a multiple of the best: infinite for one
// that is no candidate.
type measured struct {
	Case
	ratios map[schedule.Choice]float64
}

// Rows measures an operation on its whole grid, and returns few rows that keep to Factor. Each is the one that is right for most
// of the cases that the rows before it leave.
func (o *Operation) Rows() (rows []Row, err error) {
	if o.fewMessages.Algorithm != "" {
		few := Row{Unlimited, Unlimited, "fewMessages", o.fewMessages}
		if o.fewBytes > 0 {
			few.Bytes = o.fewBytes
		}
		rows = append(rows, few)
	}
	left, err := o.measure()
	for len(left) > 0 && err == nil {
		row, fits := o.best(left)
		rows = append(rows, row)
		rest := left[:0]
		for _, m := range left {
			if !row.covers(m.Case, fits) {
				rest = append(rest, m)
			}
		}
		left = rest
	}
	return rows, err
}

func (r Row) covers(c Case, fits func(Case) bool) bool {
	return c.Ranks <= r.Ranks && c.Bytes <= r.Bytes && fits(c)
}

func (o *Operation) measure() (all []measured, err error) {
	for _, c := range o.Cases() {
		m := measured{c, make(map[schedule.Choice]float64)}
		best := math.Inf(1)
		for _, choice := range o.Candidates(c) {
			cost, err := o.Cost(c, choice)
			if err != nil {
				return nil, fmt.Errorf("%v %v, %v: %w", o.Operation, c, choice, err)
			}
			m.ratios[choice] = cost
			best = min(best, cost)
		}
		for choice := range m.ratios {
			m.ratios[choice] /= best
		}
		all = append(all, m)
	}
	return all, nil
}

// Cases are the points of the grid.
func (o *Operation) Cases() (cases []Case) {
	for _, ranks := range o.Ranks {
		for _, bytes := range o.Bytes {
			cases = append(cases, Case{ranks, bytes, false})
			if o.Commuting != nil {
				cases = append(cases, Case{ranks, bytes, true})
			}
		}
	}
	return cases
}

// best is the row that covers most of what is left, and is within Factor there. Of those that cover as much it is one for
// more ranks and bytes, then a better one.
func (o *Operation) best(left []measured) (best Row, fits func(Case) bool) {
	most, mean := 0, 0.0
	for k, kind := range kinds {
		options := o.Choices
		if kind.name == "commuting" {
			options = append(options[:len(options):len(options)], o.Commuting...)
		}
		for i := len(o.Ranks) - 1; i >= 0; i-- {
			for j := len(o.Bytes) - 1; j >= 0; j-- {
				row := Row{limit(o.Ranks, i), limit(o.Bytes, j), kind.name, schedule.Choice{}}
				for _, row.Choice = range options {
					covered, sum := row.covered(left, kind.fits)
					if covered > most || covered == most && covered > 0 && kind.name == best.Which && sum < mean {
						best, fits, most, mean = row, kinds[k].fits, covered, sum
					}
				}
			}
		}
	}
	return best, fits
}

// covered is how many cases a row covers, none if it is not within Factor, and the sum of its ratios there.
func (r Row) covered(left []measured, fits func(Case) bool) (n int, sum float64) {
	for _, m := range left {
		if !r.covers(m.Case, fits) {
			continue
		}
		ratio, candidate := m.ratios[r.Choice]
		if !candidate || ratio > Factor {
			return 0, 0
		}
		n++
		sum += ratio
	}
	return n, sum
}

func limit(values []int, i int) int {
	if i == len(values)-1 {
		return Unlimited
	}
	return values[i]
}
