package suite

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/internal/bar"
	"github.com/sctpmpi/sctpmpi/cmd/internal/report"
)

// linesEvery is the interval of progress lines where there is no terminal for a bar.
const linesEvery = 10 * time.Second

// RunWithProgress is Run for the command of a program. It first writes to w how long it will
// probably take, and then how much is done.
func (p *Plan) RunWithProgress(ctx context.Context, program, command string, s Settings, w io.Writer) (*report.Report, error) {
	steps, done := p.Steps(s), 0
	name := func() string { return fmt.Sprintf("%d of %d steps", done, steps) }
	fmt.Fprintf(w, "%s: %d steps, about %v\n", program, steps, max(p.Expected(s).Round(time.Second), time.Second))
	progress := bar.NewTimed(w, name(), time.Duration(s.Rounds)*p.round(s), linesEvery)
	r, err := p.Run(ctx, command, s, func(j *Job) {
		done++
		progress.Describe(name())
		progress.Add(int(j.expected(s).Milliseconds()))
	})
	progress.End(err)
	return r, err
}
