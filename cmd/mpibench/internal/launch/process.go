package launch

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"syscall"

	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/rank"
)

// Process is a program under way that writes Figures, a line of JSON for each.
type Process struct {
	command  *exec.Cmd
	stdin    io.WriteCloser
	lines    *bufio.Reader
	complain head
}

// Start starts a command, made by exec.CommandContext, which is asked to end when its
// context is done, and killed some time after that.
func Start(command *exec.Cmd) (*Process, error) {
	p := &Process{command: command}
	command.Stderr = &p.complain
	command.Cancel = func() error { return command.Process.Signal(syscall.SIGTERM) }
	command.WaitDelay = 4 * grace
	var err error
	if p.stdin, err = command.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.lines = bufio.NewReader(out)
	if err := command.Start(); err != nil {
		return nil, err
	}
	return p, nil
}

// Ready waits until the job has said that it is (see rank.Order.Wait).
func (p *Process) Ready(ctx context.Context) error {
	_, err := p.lines.ReadString('\n')
	if err != nil {
		return p.failed(ctx, p.command.Wait(), err)
	}
	return nil
}

// Begin lets a job begin that waits for it.
func (p *Process) Begin() error {
	_, err := p.stdin.Write([]byte{'\n'})
	return err
}

// Release closes the standard input of a process.
func (p *Process) Release() { _ = p.stdin.Close() }

// Close waits for a process whose context is done, or that has ended.
func (p *Process) Close() { _ = p.command.Wait() }

// Figures waits for the end of the process, which must have written the figures of so many
// works.
func (p *Process) Figures(ctx context.Context, works int) ([]rank.Figures, error) {
	all, wrong := p.results(works)
	if wrong == nil {
		if n, err := io.Copy(io.Discard, p.lines); n > 0 && err == nil {
			wrong = fmt.Errorf("it has said more than the results of %d works", works)
		}
	}
	if err := p.command.Wait(); err != nil || wrong != nil {
		return nil, p.failed(ctx, err, wrong)
	}
	return all, nil
}

// FiguresThen waits for the figures, and then calls end and waits for the process, however
// that ends.
func (p *Process) FiguresThen(ctx context.Context, works int, end func()) ([]rank.Figures, error) {
	all, wrong := p.results(works)
	if wrong != nil {
		return nil, p.failed(ctx, p.command.Wait(), wrong)
	}
	end()
	_ = p.command.Wait() // it has done what it was to do
	return all, nil
}

// results reads the figures of so many works.
func (p *Process) results(works int) ([]rank.Figures, error) {
	all := make([]rank.Figures, works)
	for i := range all {
		line, err := p.lines.ReadBytes('\n')
		if err != nil {
			return nil, fmt.Errorf("after %d of %d results: %w", i, works, err)
		}
		if err := json.Unmarshal(line, &all[i]); err != nil {
			return nil, fmt.Errorf("result %d, %q: %w", i+1, bytes.TrimSpace(line), err)
		}
	}
	return all, nil
}

// failed explains the end of a process.
func (p *Process) failed(ctx context.Context, ended, wrong error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	text := strings.TrimSpace(p.complain.String())
	if text != "" {
		return errors.New(text)
	}
	return errors.Join(ended, wrong)
}

// head keeps the beginning of what is written: of a panic, the part that counts.
type head struct{ bytes.Buffer }

const headBytes = 2 << 10

func (h *head) Write(b []byte) (int, error) {
	h.Buffer.Write(b[:min(len(b), headBytes-h.Len())])
	return len(b), nil
}
