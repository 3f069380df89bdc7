package bench

import (
	"fmt"
	"os"
	"slices"

	"github.com/spf13/pflag"

	"github.com/sctpmpi/sctpmpi/cmd/internal/report"
	"github.com/sctpmpi/sctpmpi/cmd/internal/suite"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// progress are the progress modes to measure in. Others are compared with the first. Without any it is the one that the ranks
// have anyway.
type progress []string

// progressModes are all progress modes of the library.
var progressModes = []mode{
	{"inline", []string{rpi.EnvProgress + "=inline"}},
	{"event", []string{rpi.EnvProgress + "=event"}},
	{"hybrid", []string{rpi.EnvProgress + "=hybrid"}},
}

// flag adds the flag --progress.
func (p *progress) flag(fs *pflag.FlagSet, names ...string) {
	fs.StringSliceVar((*[]string)(p), "progress", names,
		"progress `modes`, of inline, event, hybrid. The first is what others are compared with. Without any it is "+rpi.EnvProgress)
}

func (p progress) check() error {
	for i, name := range p {
		if !slices.ContainsFunc(progressModes, func(m mode) bool { return m.name == name }) {
			return fmt.Errorf("--progress: %q is none of inline, event and hybrid", name)
		}
		if slices.Contains(p[:i], name) {
			return fmt.Errorf("--progress: %s is named twice", name)
		}
	}
	return nil
}

// modes are those to measure in, one at least.
func (p progress) modes() (all []mode) {
	for _, name := range p {
		all = append(all, progressModes[slices.IndexFunc(progressModes, func(m mode) bool { return m.name == name })])
	}
	if all == nil {
		all = []mode{{name: "hybrid"}}
		if name := os.Getenv(rpi.EnvProgress); name != "" {
			all[0].name = name
		}
	}
	return all
}

// chosen is the name of a mode that is not the one that ranks have anyway.
func (m mode) chosen() string {
	if m.env == nil {
		return ""
	}
	return m.name
}

// first is the mode that others are compared with.
func (p progress) first() string { return p.modes()[0].name }

// several says that there is something to compare.
func (p progress) several() bool { return len(p) > 1 }

// changeOf is the figure that says by how many percent another one is more than in the first mode.
func changeOf(figure string) string { return figure + "_change" }

// change is a column of that.
func (p progress) change(figure, title string) report.Column {
	return report.Column{Figure: changeOf(figure), Title: fmt.Sprintf("%s by that in %s, %%", title, p.first()), Format: "%+.1f"}
}

// plan begins the plan of a table, some of whose figures are compared.
func (p progress) plan(t table, figures ...string) *suite.Plan {
	return &suite.Plan{
		Tables: []*report.Table{t.Table}, Confidence: p.several(), Missing: make(map[string]string),
		Derive: func(*report.Report) { p.compare(t.Table, figures...) },
	}
}

// compare adds the changes of some figures of a table.
func (p progress) compare(t *report.Table, figures ...string) {
	at := slices.Index(t.Dims, "progress")
	for _, point := range t.Points {
		if point.At[at] == p.first() {
			continue
		}
		same := slices.Clone(point.At)
		same[at] = p.first()
		for _, figure := range figures {
			if ratio, ok := point.By(figure, t.Point(same...)); ok {
				point.Figures[changeOf(figure)] = ratio.Percent()
			}
		}
	}
}
