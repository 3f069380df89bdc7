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
	"slices"
	"strings"
	"syscall"

	"github.com/sctpmpi/sctpmpi/cmd/internal/output"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/rank"
)

// Process is a running program that writes Figures, a line of JSON for each Work.
type Process struct {
	command    *exec.Cmd
	stdin      io.WriteCloser
	lines      *bufio.Reader
	complaints output.Head
}

// Start starts a command that was made by exec.CommandContext. When its context is done it gets
// SIGTERM, and is killed some time later.
func Start(command *exec.Cmd) (*Process, error) {
	p := &Process{command: command}
	command.Stderr = &p.complaints
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

// Ready waits until the job reports that it is ready (see rank.Order.Wait).
func (p *Process) Ready(ctx context.Context) error {
	_, err := p.lines.ReadString('\n')
	if err != nil {
		return p.failed(ctx, p.command.Wait(), err)
	}
	return nil
}

// Begin lets a job that is Ready begin.
func (p *Process) Begin() error {
	_, err := p.stdin.Write([]byte{'\n'})
	return err
}

// Release closes the standard input of a process.
func (p *Process) Release() { _ = p.stdin.Close() }

// Close waits for the end of a process whose context is done.
func (p *Process) Close() { _ = p.command.Wait() }

// Figures waits for the end of the process. It must have written the figures of the given number of
// works, and nothing else.
func (p *Process) Figures(ctx context.Context, works int) ([]rank.Figures, error) {
	all, wrong := p.results(works)
	if wrong == nil {
		if n, err := io.Copy(io.Discard, p.lines); n > 0 && err == nil {
			wrong = fmt.Errorf("it has written more than the results of %d works", works)
		}
	}
	if err := p.command.Wait(); err != nil || wrong != nil {
		return nil, p.failed(ctx, err, wrong)
	}
	return all, nil
}

// FiguresThen waits for the figures, calls end and then waits for the process. It does not matter
// how the process ends.
func (p *Process) FiguresThen(ctx context.Context, works int, end func()) ([]rank.Figures, error) {
	all, wrong := p.results(works)
	if wrong != nil {
		return nil, p.failed(ctx, p.command.Wait(), wrong)
	}
	end()
	_ = p.command.Wait() // the figures are complete
	return all, nil
}

// results reads the figures of the given number of works.
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

// failed explains why a process has failed.
func (p *Process) failed(ctx context.Context, ended, wrong error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if text := once(p.complaints.String()); text != "" {
		return errors.New(text)
	}
	return errors.Join(ended, wrong)
}

// once is a text with the first of equal lines: many ranks complain of the same.
func once(text string) string {
	var lines []string
	for line := range strings.Lines(strings.TrimSpace(text)) {
		if line = strings.TrimRight(line, "\n"); !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}
