package bench

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/sctpmpi/sctpmpi/cmd/internal/report"
	"github.com/sctpmpi/sctpmpi/cmd/internal/suite"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/rank"
	"github.com/sctpmpi/sctpmpi/tcprpi/pertrc"
)

const (
	maxWindow = 1 << 12
	// maxWindowBytes bounds the receive buffers of a rank.
	maxWindowBytes = 1 << 30
	maxGoroutines  = 1 << 10
	maxTags        = 1 << 19
)

// flood is the part that Bandwidth and Rate have in common.
type flood struct {
	sizes, goroutines, tags []int
	window                  int
	progress                progress
}

func (b *flood) flags(fs *pflag.FlagSet, sizes ...int) {
	fs.IntSliceVar(&b.sizes, "size", sizes, "lengths of the message in `bytes`")
	fs.IntSliceVar(&b.tags, "tags", []int{1}, "`numbers` of tags that the messages of a window, and of the next, take in turn")
	fs.IntVar(&b.window, "window", 64, "how many `messages` are in flight")
	fs.IntSliceVar(&b.goroutines, "goroutines", []int{1}, "`numbers` of goroutines of each rank; each has a window of its own")
	b.progress.flag(fs)
}

func (b *flood) Check() error {
	err := cmp.Or(b.progress.check(), within("window", 1, maxWindow, b.window),
		within("goroutines", 1, maxGoroutines, b.goroutines...), within("tags", 1, maxTags, b.tags...))
	if err != nil {
		return err
	}
	return within("size", 0, maxWindowBytes/b.window/slices.Max(b.goroutines), b.sizes...)
}

// oneWay is the direction of messages from the first rank to the second.
const oneWay = "one way"

// plan has the figures of a table measured, one of which is drawn and compared.
func (b *flood) plan(o Options, t table, figure string) *suite.Plan {
	t.Plot.By, t.Plot.Dim, t.Plot.XLabel, t.Plot.LogX = []string{"transport", "progress", "direction", "goroutines", "tags"}, "bytes", "message (bytes)", true
	t.Plot.Figure = figure
	if b.progress.several() {
		t.Plot.Only = func(at []any) bool { return at[2] == oneWay }
		t.Others = drawEnds(*t.Plot)
	}
	p := b.progress.plan(t, figure)
	for _, transport := range o.Transports {
		for _, m := range b.progress.modes() {
			for _, tags := range b.tags { // a job for each, so that a number at which a transport fails does not cost the others
				s := setup{transport: transport, ranks: 2, mode: m.chosen(), env: m.env}
				if tags > 1 {
					s.mode = strings.TrimSpace(fmt.Sprintf("%s with %d tags", m.chosen(), tags))
				}
				if transport == pertrc.Name && beyond(p, transport, s.mode, 2*tags) { // both ways
					continue
				}
				for _, both := range []bool{false, true} {
					direction := map[bool]string{false: oneWay, true: "both ways"}[both]
					for _, goroutines := range b.goroutines {
						for _, size := range b.sizes {
							s = s.with(
								rank.Work{Program: "flood", Size: size, Window: b.window, Tags: tags, Goroutines: goroutines, Both: both},
								t.slot(transport, m.name, direction, goroutines, tags, size))
						}
					}
				}
				p.Jobs = append(p.Jobs, o.job(s))
			}
		}
	}
	return p
}

// Bandwidth measures the bytes per second of windows of long messages.
type Bandwidth struct{ flood }

func (b *Bandwidth) Flags(fs *pflag.FlagSet) {
	b.flags(fs, 1<<10, 4<<10, 16<<10, 64<<10, 256<<10, 1<<20, 4<<20)
}

func (b *Bandwidth) Plan(o Options) *suite.Plan {
	t := newTable("bandwidth", "transport", "progress", "direction", "goroutines", "tags", "bytes")
	t.Columns = append([]report.Column{
		{Figure: "gbit_s", Title: "Gbit/s", Format: "%.2f"}, b.progress.change("gbit_s", "Gbit/s"), coresUsed,
	}, coresOfEnds...)
	t.Plot = &report.Plot{Title: "Bandwidth between two ranks", YLabel: "bandwidth (Gbit/s)"}
	return b.plan(o, t, "gbit_s")
}

// Rate measures the messages per second of windows of short messages.
type Rate struct{ flood }

func (b *Rate) Flags(fs *pflag.FlagSet) { b.flags(fs, 0, 8, 64, 256, 1<<10) }

func (b *Rate) Plan(o Options) *suite.Plan {
	t := newTable("rate", "transport", "progress", "direction", "goroutines", "tags", "bytes")
	t.Columns = append([]report.Column{
		{Figure: "msgs_s", Title: "messages/s", Format: "%.0f"}, b.progress.change("msgs_s", "messages/s"),
		{Figure: "gap_us", Title: "µs/message", Format: "%.3f"},
		callsMade, coresUsed,
	}, coresOfEnds...)
	t.Plot = &report.Plot{Title: "Message rate between two ranks", YLabel: "messages per second"}
	return b.plan(o, t, "msgs_s")
}
