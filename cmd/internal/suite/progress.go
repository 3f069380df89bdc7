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
	steps := p.Steps(s)
	fmt.Fprintf(w, "%s: %d steps, about %v\n", program, steps, max(p.Expected(s).Round(time.Second), time.Second))
	var progress bar.Bar
	if bar.Terminal(w) {
		progress = bar.New(w, "steps", steps)
	} else {
		progress = bar.NewLines(w, "steps", steps, linesEvery)
	}
	defer progress.Close()
	return p.Run(ctx, command, s, progress.Step)
}
