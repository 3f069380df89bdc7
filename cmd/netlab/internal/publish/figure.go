package publish

import (
	"fmt"
	"math"

	"github.com/sctpmpi/sctpmpi/cmd/internal/measure"
)

// summary sums up a metric of a cell.
func (c *Cell) summary(metric string) (measure.Figure, error) {
	values := c.Values[metric]
	if len(values) == 0 {
		return measure.Figure{}, fmt.Errorf("%s of %v has no measurement of %q", c.Variant, c.factors, metric)
	}
	return measure.Interval(values), nil
}

func median(c *Cell, metric string) (string, error) {
	s, err := c.summary(metric)
	return measure.Digits(s.Median), err
}

func interval(c *Cell, metric string) (string, error) {
	s, err := c.summary(metric)
	return s.String(), err
}

// ratio is the quotient of two medians.
func ratio(over, under *Cell, metric string) (string, error) {
	q, err := quotient(over, under, metric)
	return q.String(), err
}

// change is that in percent: "−13%".
func change(from, to *Cell, metric string) (string, error) {
	q, err := quotient(to, from, metric)
	percent := math.Round(100 * (q.Median - 1))
	sign := "+"
	if percent < 0 {
		sign = "−"
	}
	return fmt.Sprintf("%s%v%%", sign, math.Abs(percent)), err
}

func quotient(over, under *Cell, metric string) (measure.Figure, error) {
	if _, err := over.summary(metric); err != nil {
		return measure.Figure{}, err
	}
	if _, err := under.summary(metric); err != nil {
		return measure.Figure{}, err
	}
	q := measure.Ratio(over.Values[metric], under.Values[metric])
	if math.IsInf(q.Median, 0) || math.IsInf(q.High, 0) {
		return q, fmt.Errorf("%s of %v is 0 too often for a ratio of %q", under.Variant, under.factors, metric)
	}
	return q, nil
}

// late is by how much timers were late at worst in the median job of the data, in ms.
func late(all ...*Data) (string, error) {
	var values []float64
	for _, d := range all {
		for _, c := range d.cells {
			values = append(values, c.Late...)
		}
	}
	if len(values) == 0 {
		return "", fmt.Errorf("no job says how late its timers were")
	}
	return fmt.Sprintf("%.0f", measure.Interval(values).Median), nil
}
