package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/sctpmpi/sctpmpi/cmd/internal/report"
	"github.com/sctpmpi/sctpmpi/cmd/internal/suite"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/launch"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/othermpi"
	"github.com/sctpmpi/sctpmpi/sctprpi"
)

// HPL measures High-Performance Linpack, a program in C, over each transport in each progress mode, and beside other implementations of MPI:
// table 3.1 of Majumder's thesis.
type HPL struct {
	programs    string
	size, block int
	grid        string
	progress    progress

	rows, columns int
	// The results of Find.
	found   []othermpi.Library
	missing map[string]string
}

// maxOrder bounds the order of the matrix, which takes its square times 8 bytes: 80 GB.
const maxOrder = 100_000

func (b *HPL) Flags(fs *pflag.FlagSet) {
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	fs.StringVar(&b.programs, "programs", filepath.Join(cache, "sctpmpi-conformance", "hpl"),
		"the `folder` of HPL's programs: make conformance PROGRAMS=hpl builds them")
	fs.IntVar(&b.size, "size", 2000, "`order` N of the matrix, which takes 8·N² bytes")
	fs.IntVar(&b.block, "block", 128, "`order` NB of its blocks")
	fs.StringVar(&b.grid, "grid", "1x2", "the `grid` P×Q of ranks")
	b.progress.flag(fs, "inline", "event", "hybrid")
}

func (b *HPL) Check() error {
	rows, columns, _ := strings.Cut(b.grid, "x")
	var err1, err2 error
	b.rows, err1 = strconv.Atoi(rows)
	b.columns, err2 = strconv.Atoi(columns)
	if errors.Join(err1, err2) != nil || b.rows < 1 || b.columns < 1 || b.rows > maxRanks || b.columns > maxRanks || b.ranks() > maxRanks {
		return fmt.Errorf("--grid %q: it must be as 2x3, and have %d ranks at most", b.grid, maxRanks)
	}
	if err := within("size", 1, maxOrder, b.size); err != nil {
		return err
	}
	if err := within("block", 1, b.size, b.block); err != nil {
		return err
	}
	if b.programs, err1 = filepath.Abs(b.programs); err1 != nil {
		return fmt.Errorf("--programs: %w", err1)
	}
	return b.progress.check()
}

func (b *HPL) ranks() int { return b.rows * b.columns }

// Find finds the programs of the other implementations. That of this library must be there.
func (b *HPL) Find(ctx context.Context, _ string) error {
	if _, err := os.Stat(b.program("sctpmpi")); err != nil {
		return fmt.Errorf("--programs: %w: make conformance PROGRAMS=hpl builds it", err)
	}
	installed, missing, err := othermpi.Installed(ctx)
	if err != nil {
		return err
	}
	b.missing = missing
	for _, library := range installed {
		if _, err := os.Stat(b.peer(library)); err != nil {
			b.missing[library.Name] = fmt.Sprintf("%v: make conformance PROGRAMS=hpl builds it", err)
			continue
		}
		b.found = append(b.found, library)
	}
	return nil
}

func (b *HPL) program(name string) string { return filepath.Join(b.programs, name) }

// peer is the program of another implementation.
func (b *HPL) peer(library othermpi.Library) string {
	return b.program(strings.ToLower(strings.ReplaceAll(library.Implementation(), " ", "")))
}

// command is a program with its arguments.
func (b *HPL) command(program string) []string {
	return []string{program, strconv.Itoa(b.size), strconv.Itoa(b.block), strconv.Itoa(b.rows), strconv.Itoa(b.columns)}
}

const (
	hplTable = "hpl"
	byPeer   = "by_peer"
	theirs   = "theirs" // in place of a progress mode
)

// hplMedia are the names of what carries messages, in both our jobs and the peers'.
var hplMedia = map[medium]string{network: "network", shared: "shared memory"}

func (b *HPL) Plan(o Options) *suite.Plan {
	t := newTable(hplTable, "over", "implementation", "progress")
	t.Columns = []report.Column{
		{Figure: timeS, Title: "time, s", Format: "%.3f"},
		{Figure: "gflops", Title: "Gflop/s", Format: "%.3f"},
		{Figure: byMode, Title: "time/" + b.progress.first(), Format: "%.3f"},
		{Figure: byNetwork, Title: "time/" + o.Transports[0], Format: "%.3f"},
		{Figure: byPeer, Title: "time/best peer", Format: "%.3f"},
		{Figure: "residual", Title: "residual", Format: "%.4f"},
		coresUsed,
	}
	t.Plot = &report.Plot{
		Title: fmt.Sprintf("HPL, N=%d, NB=%d, %s ranks", b.size, b.block, b.grid), By: []string{"over", "progress"}, Dim: "implementation",
		Figure: "gflops", YLabel: "Gflop/s", Bars: true,
	}
	p := &suite.Plan{
		Tables: []*report.Table{t.Table}, Confidence: true, Missing: b.missing,
		Derive: func(r *report.Report) { b.derive(r, o.Transports[0]) },
	}
	for _, transport := range o.Transports {
		for _, m := range b.progress.modes() {
			p.Jobs = append(p.Jobs, b.own(t, transport, network, m))
			if transport == sctprpi.Name {
				p.Jobs = append(p.Jobs, b.own(t, transport, shared, m))
			}
		}
	}
	for _, library := range b.found {
		for _, over := range []medium{network, shared} {
			job := othermpi.Job{Library: library, Medium: over.peers, Ranks: b.ranks(), Program: b.command(b.peer(library))}
			p.Jobs = append(p.Jobs, b.job(t, over, library.Name, theirs, job.Run))
			p.Jobs[len(p.Jobs)-1].Foreign = true
		}
	}
	return p
}

// own is the job of one of our transports, which stands for all in memory.
func (b *HPL) own(t table, transport string, over medium, m mode) suite.Job {
	job := launch.Job{Ranks: b.ranks(), Transport: transport, Env: append([]string{over.variable}, m.env...), Program: b.command(b.program("sctpmpi"))}
	return b.job(t, over, transport, m.name, job.Run)
}

// job is one that solves the problem once. What it takes follows from 2/3·N³ operations, of which a processor does a thousand million a second or more.
func (b *HPL) job(t table, over medium, implementation, progress string, run func(context.Context) ([]suite.Figures, error)) suite.Job {
	about := time.Duration(2. / 3 * math.Pow(float64(b.size), 3))
	return suite.Job{
		Name: fmt.Sprintf("hpl by %s over %s, %s", implementation, hplMedia[over], progress), Run: run, Beside: about, Limit: 2*time.Minute + 20*about,
		Slots: []suite.Slot{t.slot(hplMedia[over], implementation, progress)},
	}
}

// derive divides times: by those in the first progress mode, by those over the first transport, and by that of the best peer over the same.
func (b *HPL) derive(r *report.Report, transport string) {
	r.DurationNS = 0 // it takes as long as it takes
	t := r.Table(hplTable)
	for _, p := range t.Points {
		over, implementation, progress := p.At[0], p.At[1], p.At[2]
		bases := map[string]*report.Point{byPeer: b.bestPeer(t, over)}
		if progress != theirs {
			bases[byMode], bases[byNetwork] = t.Point(over, implementation, b.progress.first()), t.Point(over, transport, progress)
		}
		for figure, base := range bases {
			if ratio, ok := p.By(timeS, base); ok {
				p.Figures[figure] = ratio
			}
		}
	}
}

// bestPeer is the point of the fastest peer, nil if there is none.
func (b *HPL) bestPeer(t *report.Table, over any) (best *report.Point) {
	for _, p := range t.Points {
		if time, ok := p.Median(timeS); ok && p.At[0] == over && p.At[2] == theirs {
			if least, some := best.Median(timeS); !some || time < least {
				best = p
			}
		}
	}
	return best
}
