package othermpi

import (
	"context"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/launch"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/rank"
)

// endLimit is the time that a job has to end after its last result. With more ranks than cores MPICH
// would take minutes.
const endLimit = 2 * time.Second

// Job is a job of a library.
type Job struct {
	Library Library
	Medium  Medium
	Ranks   int
	// Works are the arguments of the C program, such as latency:8:0.
	Works    []string
	Duration time.Duration
	// Program, unless nil, is what the ranks run in place of the C program, with its arguments: it has one result.
	Program []string
}

// Run runs a job. For each work it returns count, wall_s and cpu_s, as in rank.Figures.
func (j Job) Run(ctx context.Context) ([]rank.Figures, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	command := exec.CommandContext(ctx, j.Library.launcher, j.arguments()...)
	command.Env = j.Library.environment(j.Medium)
	p, err := launch.Start(command)
	if err != nil {
		return nil, err
	}
	p.Release()
	results := len(j.Works)
	if j.Program != nil {
		results = 1
	}
	return p.FiguresThen(ctx, results, func() { time.AfterFunc(endLimit, cancel) })
}

func (j Job) arguments() []string {
	arguments := append([]string{"-np", strconv.Itoa(j.Ranks)}, j.Library.implementation.arguments[j.Medium]...)
	if j.Ranks > runtime.NumCPU() {
		arguments = append(arguments, j.Library.oversubscribe...)
	}
	if j.Program != nil {
		return append(arguments, j.Program...)
	}
	seconds := strconv.FormatFloat(j.Duration.Seconds(), 'g', -1, 64)
	return slices.Concat(arguments, []string{j.Library.program, seconds}, j.Works)
}
