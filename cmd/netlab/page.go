package main

import (
	"fmt"
	"io"
	"os"

	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/publish"
)

//go:generate go run . page ../../docs/experiments.md.tmpl ../../docs/experiments/multihome.md.tmpl ../../docs/networks.md.tmpl ../../docs/seeds.md.tmpl

// fill writes the pages of templates, and the drawings in them, beside the templates.
func fill(templates []string, stdout io.Writer) error {
	for _, name := range templates {
		files, err := publish.Fill(name)
		if err != nil {
			return experimentError{err}
		}
		for _, f := range files {
			if err := os.WriteFile(f.Name, f.Text, 0o644); err != nil {
				return experimentError{err}
			}
			if _, err := fmt.Fprintln(stdout, f.Name); err != nil {
				return err
			}
		}
	}
	return nil
}
