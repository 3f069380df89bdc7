// Package launch runs jobs to be measured, as mpirun would, and returns the results of their ranks.
// The program that uses it starts itself as the launcher and as the ranks: it must call Main when
// its first argument is Command, rank.Main when it is RankCommand, and rank.SequentialMain when it
// is SequentialCommand.
package launch

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"

	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/rank"
)

// Commands with which the program starts itself.
const (
	Command           = "launch"
	RankCommand       = "rank"
	SequentialCommand = "sequential"
)

// Job is a job whose ranks are this program, or another.
type Job struct {
	Ranks     int    `json:"ranks"` // not used if Order.Local
	Transport string `json:"transport,omitempty"`
	// Env has environment variables of the ranks, as VAR=VALUE.
	Env   []string   `json:"env,omitempty"`
	Order rank.Order `json:"order"`
	// Program, unless nil, is what the ranks run in place of this program, with its arguments: it has no Order, and one result.
	Program []string `json:"program,omitempty"`
}

// Start starts a job. Its processes end when ctx is done.
func (j Job) Start(ctx context.Context) (*Process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	if j.Order.Local {
		order, err := json.Marshal(j.Order)
		if err != nil {
			return nil, err
		}
		command := exec.CommandContext(ctx, self, RankCommand, string(order))
		command.Env = append(append(os.Environ(), j.Env...), "SCTPMPI_TRANSPORT="+j.Transport)
		return Start(command)
	}
	text, err := json.Marshal(j)
	if err != nil {
		return nil, err
	}
	return Start(exec.CommandContext(ctx, self, Command, string(text)))
}

// Run runs a job and returns the figures of each of its works.
func (j Job) Run(ctx context.Context) ([]rank.Figures, error) {
	p, err := j.Start(ctx)
	if err != nil {
		return nil, err
	}
	p.Release()
	if j.Program != nil {
		return p.Figures(ctx, 1)
	}
	return p.Figures(ctx, len(j.Order.Works))
}

// StartSequential starts a program that computes from Begin to Release, and reports its speed.
func StartSequential(ctx context.Context) (*Process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return Start(exec.CommandContext(ctx, self, SequentialCommand))
}
