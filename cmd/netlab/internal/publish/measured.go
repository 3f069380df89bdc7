package publish

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/sctpmpi/sctpmpi/cmd/internal/measure"
)

// Measured are figures that mpibench --csv has written: medians with intervals.
type Measured struct {
	link   string // of the CSV file, from the page
	charts string // links to those of these figures
	header []string
	rows   [][]string
}

// measured reads a CSV file of mpibench, named as in a link of the page, or returns nil if it is not there.
func (p *page) measured(link string) (*Measured, error) {
	f, err := os.Open(filepath.Join(p.dir, filepath.FromSlash(link)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", link, err)
	}
	if len(rows) == 0 || !slices.Contains(rows[0], "figure") || !slices.Contains(rows[0], "median") {
		return nil, fmt.Errorf("%s is not what mpibench --csv writes", link)
	}
	charts, err := p.drawn(strings.TrimSuffix(link, ".csv"))
	return &Measured{link, charts, rows[0], rows[1:]}, err
}

// drawn are links to the charts whose files begin with base, by what follows it in their names.
func (p *page) drawn(base string) (string, error) {
	files, err := filepath.Glob(filepath.Join(p.dir, filepath.FromSlash(base)+"*.svg"))
	var links []string
	for _, file := range files {
		link, err := filepath.Rel(p.dir, file)
		if err != nil {
			return "", err
		}
		link = filepath.ToSlash(link)
		name := strings.Trim(strings.TrimSuffix(strings.TrimPrefix(link, base), ".svg"), "-")
		links = append(links, fmt.Sprintf("[%s](%s)", cmp.Or(name, "chart"), link))
	}
	return strings.Join(links, ", "), err
}

// At is a figure where columns have values, each as "bytes=8", at one place. It is none if others are there but it is not: a value that
// follows from two may have no sense.
func (m *Measured) At(figure string, where ...string) (f measure.Figure, err error) {
	found, others := 0, false
	for _, row := range m.rows {
		if !m.matches(row, where) {
			continue
		}
		others = true
		if m.value(row, "figure") != figure {
			continue
		}
		found++
		for column, into := range map[string]*float64{"median": &f.Median, "low": &f.Low, "high": &f.High} {
			if *into, err = strconv.ParseFloat(m.value(row, column), 64); err != nil {
				return f, fmt.Errorf("%s: %w", m.link, err)
			}
		}
		if f.N, err = strconv.Atoi(m.value(row, "rounds")); err != nil {
			return f, fmt.Errorf("%s: %w", m.link, err)
		}
	}
	if found > 1 || !others {
		return f, fmt.Errorf("%s has %s %d times where %s, instead of once", m.link, figure, found, strings.Join(where, ", "))
	}
	return f, nil
}

// Median is that of a figure, three digits of it.
func (m *Measured) Median(figure string, where ...string) (string, error) {
	f, err := m.At(figure, where...)
	if f.N == 0 {
		return f.String(), err
	}
	return measure.Digits(f.Median), err
}

// Change is a figure in percent: "+4.5% (+1.2 to +9.0)".
func (m *Measured) Change(figure string, where ...string) (string, error) {
	f, err := m.At(figure, where...)
	if f.N == 0 {
		return f.String(), err
	}
	signed := func(v float64) string { return strings.Replace(fmt.Sprintf("%+.1f", v), "-", "−", 1) }
	return fmt.Sprintf("%s%% (%s to %s)", signed(f.Median), signed(f.Low), signed(f.High)), err
}

// Charts are links to the charts of these figures.
func (m *Measured) Charts() string { return m.charts }

func (m *Measured) matches(row, where []string) bool {
	return !slices.ContainsFunc(where, func(w string) bool {
		column, value, _ := strings.Cut(w, "=")
		return m.value(row, column) != value
	})
}

func (m *Measured) value(row []string, column string) string {
	if i := slices.Index(m.header, column); i >= 0 {
		return row[i]
	}
	return ""
}
