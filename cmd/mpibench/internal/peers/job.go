package peers

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

// endLimit is how long a job may take to end when it has told all that it was to measure.
// MPICH on a host with more ranks than cores can take minutes.
const endLimit = 2 * time.Second

// Job is a job of a peer.
type Job struct {
	Peer   Peer
	Medium Medium
	Ranks  int
	// Works are as the program bench takes them, such as latency:8:0.
	Works    []string
	Duration time.Duration
}

// Run runs a job and returns, for each work, count, wall_s and cpu_s.
func (j Job) Run(ctx context.Context) ([]rank.Figures, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	command := exec.CommandContext(ctx, j.Peer.launcher, j.arguments()...)
	command.Env = j.Peer.environment(j.Medium)
	p, err := launch.Start(command)
	if err != nil {
		return nil, err
	}
	p.Release()
	return p.FiguresThen(ctx, len(j.Works), func() { time.AfterFunc(endLimit, cancel) })
}

func (j Job) arguments() []string {
	arguments := append([]string{"-np", strconv.Itoa(j.Ranks)}, j.Peer.implementation.arguments[j.Medium]...)
	if j.Ranks > runtime.NumCPU() {
		arguments = append(arguments, j.Peer.crowded...)
	}
	seconds := strconv.FormatFloat(j.Duration.Seconds(), 'g', -1, 64)
	return slices.Concat(arguments, []string{j.Peer.program, seconds}, j.Works)
}
