package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/internal/output"
)

// Process is a worker process, as the process that started it sees it.
type Process struct {
	command    *exec.Cmd
	requests   io.WriteCloser
	encoder    *json.Encoder
	replies    *json.Decoder
	complaints output.Head
}

// Start starts a worker process. The caller must Close it.
func Start(command ...string) (*Process, error) {
	p := &Process{command: exec.Command(command[0], command[1:]...)}
	p.command.Stderr = &p.complaints
	p.command.WaitDelay = time.Second
	var err error
	if p.requests, err = p.command.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.encoder, p.replies = json.NewEncoder(p.requests), json.NewDecoder(out)
	if err := p.command.Start(); err != nil {
		return nil, fmt.Errorf("starting a worker process: %w", err)
	}
	return p, nil
}

// Do sends a request and waits for the reply. If the context is done first, the process is killed
// and the error is the context's cause.
func (p *Process) Do(ctx context.Context, r Request) (Reply, error) {
	if err := p.encoder.Encode(r); err != nil {
		return Reply{}, p.ended(ctx, err)
	}
	return p.Reply(ctx)
}

// Reply waits for one more reply to the last request.
func (p *Process) Reply(ctx context.Context) (reply Reply, err error) {
	stop := context.AfterFunc(ctx, p.kill)
	defer stop()
	if err := p.replies.Decode(&reply); err != nil {
		return reply, p.ended(ctx, err)
	}
	if reply.Error != "" {
		return reply, errors.New(reply.Error)
	}
	return reply, nil
}

// ended explains why a process does not answer.
func (p *Process) ended(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	p.kill()
	if wait := p.command.Wait(); wait != nil {
		err = wait
	}
	if text := strings.TrimSpace(p.complaints.String()); text != "" {
		return fmt.Errorf("the worker process has ended: %w: %s", err, text)
	}
	return fmt.Errorf("the worker process has ended: %w", err)
}

func (p *Process) kill() { _ = p.command.Process.Kill() } // fails if the process has ended

// Close kills the process.
func (p *Process) Close() {
	p.kill()
	_ = p.command.Wait() // reports that the process was killed
}
