package peer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"
)

// Process is a peer process as seen by who has started it.
type Process struct {
	command  *exec.Cmd
	requests io.WriteCloser
	encoder  *json.Encoder
	replies  *json.Decoder
	complain head
}

// Start starts a peer. Close must be called in the end.
func Start(command ...string) (*Process, error) {
	p := &Process{command: exec.Command(command[0], command[1:]...)}
	p.command.Stderr = &p.complain
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
		return nil, fmt.Errorf("starting a peer: %w", err)
	}
	return p, nil
}

// Do has a peer do something. When the context is done first, the peer is killed and
// the error is the context's cause.
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

// ended explains why a peer cannot be talked to.
func (p *Process) ended(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	p.kill()
	if wait := p.command.Wait(); wait != nil {
		err = wait
	}
	if text := strings.TrimSpace(p.complain.String()); text != "" {
		return fmt.Errorf("the peer has ended: %w: %s", err, text)
	}
	return fmt.Errorf("the peer has ended: %w", err)
}

func (p *Process) kill() { _ = p.command.Process.Kill() } // fails if it has ended

// Close kills the peer.
func (p *Process) Close() {
	p.kill()
	_ = p.command.Wait() // that it was killed is no news
}

// head keeps the beginning of what is written: of a panic, the part that counts.
type head struct{ strings.Builder }

const headBytes = 2 << 10

func (h *head) Write(b []byte) (int, error) {
	h.Builder.Write(b[:min(len(b), headBytes-h.Len())])
	return len(b), nil
}
