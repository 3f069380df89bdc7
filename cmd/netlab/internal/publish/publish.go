// Package publish fills in pages whose tables, drawings and figures come from results: a page is a template beside the CSV files that
// netlab run leaves, so that it cannot say anything else than they do.
package publish

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"text/template"
)

// Suffix ends the name of a page's template. The page itself is beside it, without it.
const Suffix = ".tmpl"

// File is one that a template makes: the page, or a drawing in it.
type File struct {
	Name string
	Text []byte
}

// Fill returns the page of a template, and after it the drawings that the page has. A template is one of package text/template with
// these functions:
//
//	data FILE…                   the results in the first of these CSV files that there is, named as in a link of the page: see Data
//	                             for what they have
//	median CELL METRIC           the median of a cell, three digits of it
//	interval CELL METRIC         the median with its confidence interval
//	ratio CELL CELL METRIC       by how much the first's median is that of the second, with an interval
//	change CELL CELL METRIC      the same in percent more or less
//	late DATA…                   by how much timers were late at worst in the median job, in ms
//	measured FILE                the figures that mpibench --csv has written into a file, or nil: see Measured for what they have
//	drawn PATTERN                the charts with such names
//	given NUMBER                 the number: a condition, an aim, or a result of arithmetic, and not a result of a job
func Fill(name string) ([]File, error) {
	if !strings.HasSuffix(name, Suffix) {
		return nil, fmt.Errorf("publish: %s: the name of a template ends in %s", name, Suffix)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("publish: %w", err)
	}
	p := &page{dir: filepath.Dir(name)}
	t, err := template.New(filepath.Base(name)).Option("missingkey=error").Funcs(template.FuncMap{
		"data":     p.data,
		"measured": p.measured,
		"drawn":    p.drawn,
		"median":   median,
		"interval": interval,
		"ratio":    ratio,
		"change":   change,
		"late":     late,
		"given":    func(number string) string { return number },
	}).Parse(string(text))
	if err != nil {
		return nil, fmt.Errorf("publish: %w", err)
	}
	var filled bytes.Buffer
	if err := t.Execute(&filled, nil); err != nil {
		return nil, fmt.Errorf("publish: %w", err)
	}
	page := File{strings.TrimSuffix(name, Suffix), filled.Bytes()}
	return append([]File{page}, p.drawings...), nil
}

// page is a template that is being filled in.
type page struct {
	dir      string // of the template
	drawings []File
}

func (p *page) data(files ...string) (*Data, error) {
	var none error
	for _, file := range files {
		d, err := read(filepath.Join(p.dir, filepath.FromSlash(file)))
		if err == nil {
			d.page, d.link = p, file
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return d, err
		}
		none = err
	}
	return nil, none
}
