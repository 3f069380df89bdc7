package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/enginebench"
)

// errIncomplete is the error of a run of which the report has been printed.
var errIncomplete = errors.New("the report is incomplete: not all that was asked for could be measured")

// runEngine is mpibench engine.
func runEngine(ctx context.Context, s engineSettings, stdout, stderr io.Writer) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "mpibench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)

	var contenders []enginebench.Contender
	missing := make(map[string]string)
	for _, name := range s.only {
		c := enginebench.Contender{Name: name, Command: []string{self, peerCommand}}
		if name == enginebench.Pion {
			path, err := enginebench.BuildPion(ctx, folder)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil {
				missing[name] = err.Error()
				continue
			}
			c.Command = []string{path}
		}
		contenders = append(contenders, c)
	}
	steps := enginebench.Steps(contenders, s.Settings)
	progress := watched(stderr, steps, time.Duration(steps)*s.Duration*2)
	r, err := enginebench.Run(ctx, contenders, s.Settings, progress.Step)
	progress.Close()
	if err != nil {
		return err
	}
	failed := len(r.Errors) > 0
	maps.Copy(r.Errors, missing) // that pion cannot be had here is no failure
	if err := printReport(r, s.json, stdout); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	if failed {
		return errIncomplete
	}
	return nil
}

func printReport(r *enginebench.Report, asJSON bool, w io.Writer) error {
	if !asJSON {
		return r.WriteTable(w)
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(r)
}
