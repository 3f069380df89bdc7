package proxy

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/internal/frame"
	"github.com/sctpmpi/sctpmpi/cmd/internal/process"
)

// Events are what happens on a host. The functions are called one at a time.
type Events struct {
	// Started tells of a rank that runs.
	Started func(*Remote)
	// NotStarted tells of one that cannot be started.
	NotStarted func(number int, why *Refusal)
	// Lost says that the connection has ended before Finish. The ranks that have not ended are lost too: their Wait returns
	// after it.
	Lost func(why error)
	// Noise gets the lines that login scripts have written.
	Noise func(line string)
}

// Host is mpirun's end of the connection with the proxy of another host.
type Host struct {
	// Stderr is what the remote shell and the proxy write to standard error.
	Stderr *os.File

	events Events
	agent  *exec.Cmd
	conn   *conn

	ready      chan error // that the proxy is there, and then what has come of the part
	notes      []string
	accepted   bool // the part can be run; belongs to read
	allStarted chan struct{}
	finished   chan struct{}
	over       chan struct{} // closed when the remote shell has ended

	mu        sync.Mutex
	remotes   map[uint32]*Remote // those that run
	waiting   map[uint32]bool    // ranks of the part that have not been started
	finishing bool
}

// Dial starts the remote shell of a host.
func Dial(shell Shell, host string, events Events) (*Host, error) {
	words := shell.Command(host)
	h := &Host{
		events: events, agent: exec.Command(words[0], words[1:]...),
		ready: make(chan error, 1), allStarted: make(chan struct{}), finished: make(chan struct{}), over: make(chan struct{}),
		remotes: make(map[uint32]*Remote), waiting: make(map[uint32]bool),
	}
	h.agent.SysProcAttr = process.OwnGroup()
	stdin, err := h.agent.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := h.agent.StdoutPipe()
	if err != nil {
		return nil, err
	}
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	h.agent.Stderr = w
	err = h.agent.Start()
	_ = w.Close()
	if err != nil {
		_ = r.Close()
		return nil, fmt.Errorf("%w; --launch-agent names another remote shell", err)
	}
	h.Stderr, h.conn = r, newConn(stdin)
	go h.read(stdout)
	return h, nil
}

// Pid is the number of the process of the remote shell, which is a child of this process.
func (h *Host) Pid() int { return h.agent.Process.Pid }

// read hands on what comes from the host until the remote shell has ended.
func (h *Host) read(stdout io.Reader) {
	defer close(h.over)
	in := bufio.NewReaderSize(stdout, maxNoise)
	err := readGreeting(in, h.events.Noise)
	if err == nil {
		h.ready <- nil
		err = h.conn.read(in, h.handle)
	} else if !errors.Is(err, io.EOF) {
		h.Kill() // it may say anything, and for ever
	}
	h.conn.fail(err)
	wait := h.agent.Wait()
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = &ShellError{h.agent.ProcessState, wait}
	}
	h.settle(err)
	h.mu.Lock()
	remotes, finishing := h.remotes, h.finishing
	h.remotes = nil
	h.mu.Unlock()
	if h.accepted && !finishing {
		h.events.Lost(err)
	}
	for _, r := range remotes {
		r.end(process.Outcome{Lost: true})
	}
}

// ShellError says how a remote shell has ended before its time.
type ShellError struct {
	state *os.ProcessState
	err   error
}

func (e *ShellError) Error() string {
	if e.state == nil {
		return fmt.Sprintf("the remote shell is gone: %v", e.err)
	}
	return fmt.Sprintf("the remote shell has ended: %v", e.state)
}

// handle deals with a frame of the proxy.
func (h *Host) handle(f frame.Frame) error {
	switch f.Kind {
	case frame.Ready:
		if err := json.Unmarshal(f.Payload, &h.notes); err != nil {
			return err
		}
		h.accepted = true
		h.settle(nil)
	case frame.Refused:
		why := new(Refusal)
		if err := json.Unmarshal(f.Payload, why); err != nil {
			return err
		}
		h.settle(why)
	case frame.Started:
		r := &Remote{host: h, number: f.Rank, ended: make(chan struct{})}
		if err := json.Unmarshal(f.Payload, &r.Pid); err != nil {
			return err
		}
		r.Stdin, r.Stdout, r.Stderr = h.conn.stream(f.Rank, frame.Stdin), h.conn.stream(f.Rank, frame.Stdout), h.conn.stream(f.Rank, frame.Stderr)
		r.PMI = pmiConn{h.conn.stream(f.Rank, frame.PMI)}
		if !h.take(f.Rank) {
			return fmt.Errorf("%w: rank %d is none that was to be started", frame.ErrGarbage, f.Rank)
		}
		h.mu.Lock()
		h.remotes[f.Rank] = r
		h.mu.Unlock()
		h.events.Started(r)
	case frame.NotStarted:
		why := new(Refusal)
		if err := json.Unmarshal(f.Payload, why); err != nil {
			return err
		}
		if h.take(f.Rank) {
			h.events.NotStarted(int(f.Rank), why)
		}
	case frame.AllStarted:
		closeOnce(h.allStarted)
	case frame.Ended:
		var outcome process.Outcome
		if err := json.Unmarshal(f.Payload, &outcome); err != nil {
			return err
		}
		h.mu.Lock()
		r := h.remotes[f.Rank]
		delete(h.remotes, f.Rank)
		h.mu.Unlock()
		if r != nil {
			r.end(outcome)
		}
	case frame.Finished:
		closeOnce(h.finished)
	default:
		return fmt.Errorf("%w: kind %d of a proxy", frame.ErrGarbage, f.Kind)
	}
	return nil
}

// take notes that a rank has been tried to be started. It reports whether that was due.
func (h *Host) take(rank uint32) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	due := h.waiting[rank]
	delete(h.waiting, rank)
	return due
}

// settle says what has come of the part.
func (h *Host) settle(err error) {
	select {
	case h.ready <- err:
	default:
	}
}

// closeOnce closes a channel that only one goroutine closes.
func closeOnce(c chan struct{}) {
	select {
	case <-c:
	default:
		close(c)
	}
}

// Prepare waits for the proxy and has it find out whether it can run a part. The notes are what the user might not expect.
func (h *Host) Prepare(ctx context.Context, part Part) (notes []string, err error) {
	await := func() error {
		select {
		case err := <-h.ready:
			return err
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	if err := await(); err != nil {
		return nil, err
	}
	h.mu.Lock()
	for _, r := range part.Ranks {
		h.waiting[uint32(r.Number)] = true
	}
	h.mu.Unlock()
	payload := encode(part)
	if len(payload) > frame.MaxPart {
		return nil, fmt.Errorf("arguments and environment have %d bytes; at most %d can be passed on", len(payload), frame.MaxPart)
	}
	h.conn.send(frame.Frame{Kind: frame.Part, Payload: payload})
	if err := await(); err != nil {
		return nil, err
	}
	return h.notes, nil
}

// Start starts the ranks of the part, and returns when the proxy has tried to start all of them, has stopped because ctx has
// ended, or is lost.
func (h *Host) Start(ctx context.Context) {
	defer context.AfterFunc(ctx, func() { h.conn.send(frame.Frame{Kind: frame.Halt}) })()
	h.conn.send(frame.Frame{Kind: frame.Start})
	select {
	case <-h.allStarted:
	case <-h.over:
	}
}

// Finish has the proxy kill what the ranks have left behind, and end. It returns when all that they have written has come, or
// when the proxy has not answered for so long, which it reports.
func (h *Host) Finish(patience time.Duration) (answered bool) {
	h.mu.Lock()
	h.finishing = true
	h.mu.Unlock()
	h.conn.send(frame.Frame{Kind: frame.Finish})
	answered = true
	select {
	case <-h.finished:
	case <-h.over:
	case <-time.After(patience):
		answered = false
		h.Kill()
	}
	h.conn.close()
	<-h.over
	return answered
}

// Kill ends the remote shell. The proxy kills its ranks when it finds that mpirun is gone.
func (h *Host) Kill() { process.KillGroup(h.agent.Process) }
