package suite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/internal/bar"
)

// linesEvery is the interval of progress lines where there is no terminal for a bar.
const linesEvery = 10 * time.Second

// Report runs a plan for the command of a program, and writes the report to stdout, also that of an interrupted run. It first writes to
// stderr how long it will probably take, and then how much is done, and what could not be measured if the report cannot say that.
func (p *Plan) Report(ctx context.Context, program, command string, s Settings, stdout, stderr io.Writer) error {
	steps, done := s.Rounds*len(p.Jobs), 0
	name := func() string { return fmt.Sprintf("%d of %d steps", done, steps) }
	fmt.Fprintf(stderr, "%s: %d steps, about %v\n", program, steps, max(p.Expected(s).Round(time.Second), time.Second))
	progress := bar.NewTimed(stderr, name(), time.Duration(s.Rounds)*p.round(s), linesEvery)
	r, err := p.Run(ctx, command, s, func(j *Job) {
		done++
		progress.Describe(name())
		progress.Add(int(j.expected(s).Milliseconds()))
	})
	progress.End(err)
	if r == nil {
		return err
	}
	if s.HidesErrors() {
		for _, name := range slices.Sorted(maps.Keys(r.Errors)) {
			fmt.Fprintf(stderr, "%s: not measured: %s: %s\n", program, name, r.Errors[name])
		}
	}
	return errors.Join(err, s.Write(r, stdout))
}
