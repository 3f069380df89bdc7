package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/internal/bar"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/campaign"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/record"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/trial"
	"github.com/sctpmpi/sctpmpi/internal/netem/lab"
)

// terminalVariable tells netlab in a lab that its output goes to a terminal.
const terminalVariable = "SCTPMPI_TERMINAL"

// programs are what jobs may need.
var programs = []string{"github.com/sctpmpi/sctpmpi/cmd/mpirun", "github.com/sctpmpi/sctpmpi/cmd/taskfarm"}

// launcher returns the file of mpirun: the one that was asked for, or that beside this program, or one built for this run. Applications
// are beside it.
func (o experimentOptions) launcher(ctx context.Context) (path string, remove func(), err error) {
	remove = func() {}
	if o.mpirun != "" {
		path, err = filepath.Abs(o.mpirun)
		return path, remove, err
	}
	own, err := os.Executable()
	if err != nil {
		return "", remove, err
	}
	beside := filepath.Join(filepath.Dir(own), "mpirun")
	if info, err := os.Stat(beside); err == nil && !info.IsDir() {
		return beside, remove, nil
	}
	dir, err := os.MkdirTemp("", "netlab-")
	if err != nil {
		return "", remove, err
	}
	path = filepath.Join(dir, "mpirun")
	if out, err := exec.CommandContext(ctx, "go", append([]string{"build", "-o", dir}, programs...)...).CombinedOutput(); err != nil {
		os.RemoveAll(dir)
		return "", remove, fmt.Errorf("there is no mpirun beside %s, and it cannot be built (%w): %s", own, err, out)
	}
	return path, func() { os.RemoveAll(dir) }, nil
}

// somewhere runs the jobs on this host if it can, or else in a lab.
func (o experimentOptions) somewhere(ctx context.Context, stdout, stderr io.Writer) error {
	lacking := trial.Capable()
	if lacking == nil {
		return o.here(ctx, stderr)
	}
	if err := lab.Probe(); err != nil {
		return fmt.Errorf("%w; this host itself cannot run experiments: %w", err, lacking)
	}
	fmt.Fprintf(stderr, "This host cannot run experiments itself (%v): they run in a lab.\n", lacking)
	own, err := os.Executable()
	if err != nil {
		return experimentError{err}
	}
	out, err := filepath.Abs(o.out)
	if err != nil {
		return experimentError{err}
	}
	args := []string{
		"jobs", "--out", out, "--mpirun", o.mpirun, fmt.Sprint("--quick=", o.quick),
		fmt.Sprint("--seed=", o.seed), fmt.Sprint("--piece=", o.piece),
	}
	if len(o.transports) > 0 {
		args = append(args, "--transports", strings.Join(o.transports, ","))
	}
	if o.time > 0 {
		args = append(args, fmt.Sprint("--time=", o.time))
	}
	config := lab.Config{Memory: o.memory << 20, Scratch: []string{out}, Env: os.Environ()}
	if bar.Terminal(stderr) {
		config.Env = append(config.Env, terminalVariable+"=1")
	}
	c := lab.Command(ctx, config, own, append(args, o.names...)...)
	c.Stderr = stderr
	return c.Run()
}

// command is the command line that says what the options say, for the report.
func (o experimentOptions) command() []string {
	words := []string{"netlab", "run", "--out", o.out}
	if o.quick {
		words = append(words, "--quick")
	}
	if o.time > 0 {
		words = append(words, "--time", o.time.String())
	}
	if len(o.transports) > 0 {
		words = append(words, "--transports", strings.Join(o.transports, ","))
	}
	if o.seed != 1 {
		words = append(words, "--seed", fmt.Sprint(o.seed))
	}
	words = append(words, o.names...)
	for i, word := range words {
		if strings.ContainsAny(word, " \t\n'\"$`\\*?[]<>|&;()#~") {
			words[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" // for a shell
		}
	}
	return words
}

// here runs the jobs on this host, or in this lab.
func (o experimentOptions) here(ctx context.Context, stderr io.Writer) (err error) {
	defer func() {
		if err != nil {
			err = experimentError{err}
		}
	}()
	selected, err := o.selected()
	if err != nil {
		return err
	}
	own, err := os.Executable()
	if err != nil {
		return err
	}
	environment := campaign.Describe(o.command(), o.quick, o.seed)
	environment.Transports = o.transports
	if environment.Build, err = o.build(); err != nil {
		return err
	}
	if o.time > 0 {
		environment.Rounds, environment.Time = mostRounds, o.time
	}
	for _, e := range selected {
		environment.Experiments = append(environment.Experiments, e.Name)
	}
	if err := environment.Keep(o.out); err != nil {
		return err
	}
	results, err := record.Open(o.out)
	if err != nil {
		return err
	}
	defer results.Close()
	site := trial.NewSite(trial.Programs{Mpirun: o.mpirun, Rank: own})
	defer site.Close()
	progress := newProgress(stderr, selected)
	defer func() { progress.End(err) }()
	c := campaign.Campaign{
		Site: site, Results: results, Seed: o.seed, Progress: progress, Until: time.Now().Add(o.piece), Lateness: campaign.Lateness,
	}
	return c.Run(ctx, selected)
}
