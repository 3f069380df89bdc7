// Package trial runs the jobs of experiments: it builds their networks, sets the conditions, and starts them with mpirun.
package trial

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/internal/output"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/ranks"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// ErrTimeout is wrapped by errors of jobs that took too long.
var ErrTimeout = errors.New("the job took too long")

// Programs are the binaries that jobs consist of.
type Programs struct {
	Mpirun string // the launcher
	Rank   string // this program, whose command rank is what ranks run
}

// App is the file of a real program: it is beside the launcher.
func (p Programs) App(name string) string { return filepath.Join(filepath.Dir(p.Mpirun), name) }

// Variables of all ranks: what is measured are transports, each rank stands for a host, and not all transports can seal what
// they send.
const (
	sharedMemory = rpi.EnvSharedMemory + "=off"
	plain        = rpi.EnvEncrypt + "=off"
)

const (
	mpirunTimeout = 124             // status with which mpirun ends a job that took too long
	grace         = 5 * time.Second // that mpirun has to end a job, once its time is up
)

// job runs one job. enter returns the command line that runs a program on the host of a rank.
func (p Programs) job(ctx context.Context, cell plan.Cell, enter func(rank int) []string, begun func()) (map[string]float64, error) {
	args, err := p.arguments(cell, enter)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, cell.Case.Limit()+grace, ErrTimeout)
	defer cancel()
	c := exec.CommandContext(ctx, p.Mpirun, args...)
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	c.WaitDelay = grace
	c.Env = append(os.Environ(), "SCTPMPI_INTERFACE=eth0", "SCTPMPI_KILL_GRACE=1s", sharedMemory, plain)
	c.Env = append(append(c.Env, cell.Variant.Env...), cell.Case.Env...)
	c.SysProcAttr = dieWithParent()
	if app := cell.Case.App; app != nil {
		c.Stdin = bytes.NewReader(app.Input)
	}
	var errs output.Head
	out := said{begun: begun}
	c.Stdout, c.Stderr = &out, &errs
	err = c.Run()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit) && exit.ExitCode() == mpirunTimeout, errors.Is(context.Cause(ctx), ErrTimeout):
		return nil, fmt.Errorf("%w: more than %v: %s", ErrTimeout, cell.Case.Limit(), strings.TrimSpace(errs.String()))
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		return nil, fmt.Errorf("%w: %s", err, strings.TrimSpace(errs.String()))
	}
	if cell.Case.App != nil {
		return out.answer(cell.Case.App.Checksum)
	}
	return out.metrics()
}

// arguments are those of mpirun: an application context for each rank, as each has a host of its own.
func (p Programs) arguments(cell plan.Cell, enter func(rank int) []string) ([]string, error) {
	params, err := json.Marshal(cell.Case.Params)
	if err != nil {
		return nil, fmt.Errorf("parameters of %s: %w", cell.Case.Program, err)
	}
	args := []string{"--timeout", cell.Case.Limit().String()}
	if cell.Variant.Transport != "" {
		args = append(args, "--transport", cell.Variant.Transport)
	}
	for rank := range cell.Case.Ranks {
		if rank > 0 {
			args = append(args, ":")
		}
		args = append(append(args, "-n", "1"), enter(rank)...)
		if app := cell.Case.App; app != nil {
			args = append(append(args, p.App(app.Name)), app.Args...)
		} else {
			args = append(args, p.Rank, "rank", cell.Case.Program, string(params), strconv.Itoa(rank))
		}
	}
	return args, nil
}

// said is what the ranks write: one line of JSON, from rank 0, and before it perhaps that the work has begun.
type said struct {
	begun func()
	text  []byte
}

func (o *said) Write(b []byte) (int, error) {
	before := bytes.Contains(o.text, []byte(ranks.Begun))
	o.text = append(o.text, b...)
	if !before && bytes.Contains(o.text, []byte(ranks.Begun)) && o.begun != nil {
		o.begun()
	}
	return len(b), nil
}

func (o *said) metrics() (m map[string]float64, err error) {
	err = o.result(&m)
	return m, err
}

// answer is what an application has measured, if its answer is right.
func (o *said) answer(right string) (map[string]float64, error) {
	var answer struct {
		Seconds  float64
		Checksum string
	}
	if err := o.result(&answer); err != nil {
		return nil, err
	}
	if answer.Checksum != right {
		return nil, fmt.Errorf("the application's answer is wrong: its checksum is %q in place of %q", answer.Checksum, right)
	}
	return map[string]float64{"time": answer.Seconds}, nil
}

// result reads the line of JSON.
func (o *said) result(into any) error {
	err := io.ErrUnexpectedEOF
	for line := range bytes.Lines(o.text) {
		if bytes.HasPrefix(line, []byte("{")) {
			err = json.Unmarshal(line, into)
		}
	}
	if err != nil {
		return fmt.Errorf("the job ended well but gave no result: %w: %.200q", err, o.text)
	}
	return nil
}
