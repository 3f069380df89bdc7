package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/taskfarm/internal/correlate"
	"github.com/sctpmpi/sctpmpi/cmd/taskfarm/internal/fasta"
	"github.com/sctpmpi/sctpmpi/cmd/taskfarm/internal/search"
	"github.com/sctpmpi/sctpmpi/mpi"
)

var (
	//go:embed data/uniprot-query-small.fasta.gz
	embeddedQueries []byte
	//go:embed data/uniprot-db-small.fasta.gz
	embeddedDatabase []byte
)

// input is what rank 0 has opened and read before the work begins, so that
// what is wrong with a file is known before time is spent.
type input struct {
	queries, database *search.Set
	features          *correlate.Table
	tsv               *os.File // nil if none is wanted
}

// open opens what the settings name.
func open(s settings) (in *input, err error) {
	in = new(input)
	switch s.plan.Command {
	case searching:
		err = in.readSearch(s)
	case correlating:
		err = in.readCorrelate(s)
	}
	if err != nil {
		return nil, err
	}
	if s.tsv != "" && s.tsv != "-" {
		// What is in the file stays until there is something better.
		if in.tsv, err = os.OpenFile(s.tsv, os.O_WRONLY|os.O_CREATE, 0o666); err != nil {
			return nil, fmt.Errorf("writing the %s: %w", results[s.plan.Command], err)
		}
	}
	return in, nil
}

// results are what the commands write to a file.
var results = map[command]string{searching: "hits", correlating: "matrix"}

func (in *input) readSearch(s settings) error {
	queries, err := read(s.query, embeddedQueries)
	if err != nil {
		return fmt.Errorf("reading the queries: %w", err)
	}
	database, err := read(s.database, embeddedDatabase)
	if err != nil {
		return fmt.Errorf("reading the database: %w", err)
	}
	in.queries, in.database = search.NewSet(queries), search.NewSet(database)
	return nil
}

func (in *input) readCorrelate(s settings) error {
	records, err := read(s.database, embeddedDatabase)
	if err == nil {
		in.features, err = correlate.Features(records)
	}
	if err != nil {
		return fmt.Errorf("reading the database: %w", err)
	}
	return nil
}

func read(path string, embedded []byte) ([]fasta.Record, error) {
	if path == "" {
		return fasta.Read("the data in the program", bytes.NewReader(embedded))
	}
	return fasta.ReadFile(path)
}

// runSearch is taskfarm search on one rank.
func runSearch(ctx context.Context, comm *mpi.Comm, s settings, in *input, out output) (finish func() error, err error) {
	start := time.Now()
	var queries, database *search.Set
	comm, err = together(ctx, comm, func(c *mpi.Comm) (err error) {
		if queries, err = search.Share(ctx, c, in.queries); err == nil {
			database, err = search.Share(ctx, c, in.database)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	job := search.NewJob(queries, database, s.plan.Search)
	report, err := do(ctx, comm, job, s, out)
	if err != nil {
		return nil, err
	}
	if comm.Rank() != 0 {
		return silent, nil
	}
	sum := newSummary(comm, s, job.Tasks(), report, time.Since(start))
	return s.then(func() error { return present(job, sum, s, in.tsv, out) }), nil
}

// present shows what a search has found. The file comes late, so that a full
// disk does not keep the table from standard output.
func present(job *search.Job, sum summary, s settings, file *os.File, out output) error {
	if err := write(job.WriteTSV, job.WriteTable, &sum, s, file, out); err != nil {
		return err
	}
	f := searchFigures{job.Queries(), job.Targets(), job.Cells(), float64(job.Cells()) / sum.Seconds / 1e9}
	sum.searchFigures = &f
	sum.what = fmt.Sprintf("queries %d, targets %d, cells %.3g, tasks %d", f.Queries, f.Targets, float64(f.Cells), sum.Tasks)
	sum.rate = fmt.Sprintf("%.3g GCUPS (10⁹ cell updates per second)", f.GCUPS)
	return sum.print(s.json, out)
}

// write writes results: a table for people, or all of them, whose checksum the summary gets.
func write(all, table func(io.Writer) error, sum *summary, s settings, file *os.File, out output) error {
	var tsv bytes.Buffer
	if err := all(&tsv); err != nil {
		return err
	}
	switch {
	case s.json:
	case s.tsv == "-":
		if _, err := out.stdout.Write(tsv.Bytes()); err != nil {
			return err
		}
	default:
		if err := table(out.stdout); err != nil {
			return err
		}
	}
	if err := replace(file, tsv.Bytes()); err != nil {
		return fmt.Errorf("writing the %s: %w", results[s.plan.Command], err)
	}
	sum.setChecksum(sha256.Sum256(tsv.Bytes()))
	return nil
}

// replace replaces what is in a file, if there is one.
func replace(f *os.File, content []byte) error {
	if f == nil {
		return nil
	}
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		if err := f.Truncate(0); err != nil {
			return err
		}
	}
	_, err := f.Write(content)
	return errors.Join(err, f.Close())
}
