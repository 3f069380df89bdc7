package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/taskfarm/internal/correlate"
	"github.com/sctpmpi/sctpmpi/mpi"
)

// runCorrelate is taskfarm correlate on one rank.
func runCorrelate(ctx context.Context, comm *mpi.Comm, s settings, in *input, out output) (finish func() error, err error) {
	start := time.Now()
	job := correlate.NewJob(in.features, s.variables)
	report, err := do(ctx, comm, job, s, out)
	if err != nil {
		return nil, err
	}
	if comm.Rank() != 0 {
		return silent, nil
	}
	sum := newSummary(comm, s, job.Tasks(), report, time.Since(start))
	n := job.Variables()
	f := correlateFigures{n, job.Samples(), float64(n*(n+1)/2) / sum.Seconds}
	sum.correlateFigures = &f
	sum.what = fmt.Sprintf("features %d, proteins %d, tasks %d", f.Features, f.Proteins, sum.Tasks)
	sum.rate = fmt.Sprintf("%.4g correlations per second", f.Rate)
	table := func(w io.Writer) error { return job.WriteTable(w, s.top) }
	return s.then(func() error {
		if err := write(job.WriteTSV, table, &sum, s, in.tsv, out); err != nil {
			return err
		}
		return sum.print(s.json, out)
	}), nil
}
