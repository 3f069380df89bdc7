package proxy

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/internal/frame"
	"github.com/sctpmpi/sctpmpi/cmd/internal/process"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
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
	stdout io.Closer // what the agent writes
	conn   *conn

	greeted    chan struct{} // closed when the proxy is there
	settled    chan error    // what has come of the part
	notes      []string
	accepted   bool // the part can be run; belongs to read
	answered   bool // the proxy has said whether it can be; belongs to read
	allStarted chan struct{}
	clock      chan int64    // what the proxy says its time is
	finished   chan struct{} // closed when all that the ranks have written has come
	ended      chan struct{} // closed when the connection has ended; then why says why
	why        error
	over       chan struct{} // closed when the remote shell has ended too, and that has been told

	mu        sync.Mutex
	remotes   map[uint32]*Remote // those that run
	waiting   map[uint32]bool    // ranks of the part that have not been started
	finishing bool
	killed    error // why this end has given up the connection
	told      bool  // Events.Lost has been called; to be read when over is closed
}

// Dial starts the remote shell of a host. beat is how often both ends say that they are there, usually Beat.
func Dial(shell Shell, host string, beat time.Duration, events Events) (*Host, error) {
	if strings.HasPrefix(host, "-") {
		return nil, fmt.Errorf("%q is an option and not a host", host)
	}
	words := shell.Command(host)
	h := &Host{
		events: events, agent: exec.Command(words[0], words[1:]...),
		greeted: make(chan struct{}), settled: make(chan error, 1), allStarted: make(chan struct{}),
		clock: make(chan int64, 1), finished: make(chan struct{}), ended: make(chan struct{}), over: make(chan struct{}),
		remotes: make(map[uint32]*Remote), waiting: make(map[uint32]bool),
	}
	h.agent.SysProcAttr = process.OwnGroup()
	h.agent.Env = slices.DeleteFunc(os.Environ(), func(setting string) bool { return strings.HasPrefix(setting, rpi.EnvJobToken+"=") })
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
		if errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
			err = fmt.Errorf("%w; --launch-agent names another remote shell", err)
		}
		return nil, err
	}
	h.Stderr, h.stdout = r, stdout
	h.conn = newConn(stdin, func() { h.Kill(errors.New("it takes nothing any more")) }, nil)
	go h.read(stdout, beat)
	return h, nil
}

// Pid is the number of the process of the remote shell, which is a child of this process.
func (h *Host) Pid() int { return h.agent.Process.Pid }

// leaveTime is how long a remote shell may take to end when it has closed the connection.
const leaveTime = 5 * time.Second

// read hands on what comes from the host until the remote shell has ended.
func (h *Host) read(stdout io.Reader, beat time.Duration) {
	defer close(h.over)
	in := bufio.NewReaderSize(h.conn.listen(stdout), maxNoise)
	err := readGreeting(in, h.events.Noise)
	if err == nil {
		close(h.greeted)
		go h.conn.beat(beat, func() { h.Kill(ErrSilent) })
		if err = h.conn.read(in, h.handle); !isEnd(err) {
			err = fmt.Errorf("it broke mpirun's protocol: %w", err)
		}
	}
	h.conn.fail(err)
	err = h.leave(err)
	h.mu.Lock()
	remotes, finishing := h.remotes, h.finishing
	h.remotes = nil
	err = cmp.Or(h.killed, err)
	h.mu.Unlock()
	h.why = err
	close(h.ended)
	if h.accepted && !finishing {
		h.told = true
		h.events.Lost(err)
	}
	for _, r := range remotes {
		r.end(process.Outcome{Lost: true})
	}
}

// isEnd: the other side has closed the connection.
func isEnd(err error) bool { return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) }

// leave waits for the end of the remote shell, and returns why the connection has ended, as far as that is known better then. A
// shell that is to be heard no more may say anything, and for ever: it is killed.
func (h *Host) leave(err error) error {
	if !isEnd(err) {
		h.end()
		_ = h.agent.Wait()
		return err
	}
	deaf := time.AfterFunc(leaveTime, h.end)
	wait := h.agent.Wait()
	if !deaf.Stop() {
		return errors.New("it has closed the connection, and its remote shell did not end")
	}
	return &ShellError{h.agent.ProcessState, wait}
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
		if h.answered {
			return errAnswered
		}
		if err := json.Unmarshal(f.Payload, &h.notes); err != nil {
			return err
		}
		h.accepted = true
		h.settle(nil)
	case frame.Refused:
		if h.answered {
			return errAnswered
		}
		why, err := refusalOf(f)
		if err != nil {
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
		why, err := refusalOf(f)
		if err != nil {
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
		if !outcome.Valid() {
			return fmt.Errorf("%w: rank %d has ended with %s", frame.ErrGarbage, f.Rank, f.Payload)
		}
		h.mu.Lock()
		r := h.remotes[f.Rank]
		delete(h.remotes, f.Rank)
		h.mu.Unlock()
		if r != nil {
			r.end(outcome)
		}
	case frame.State:
		var stopped bool
		if err := json.Unmarshal(f.Payload, &stopped); err != nil {
			return err
		}
		h.mu.Lock()
		defer h.mu.Unlock()
		if r := h.remotes[f.Rank]; r != nil {
			r.stopped.Store(stopped)
		}
	case frame.Clock:
		return h.hearClock(f.Payload)
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

// closeOnce closes a channel that only one goroutine closes.
func closeOnce(c chan struct{}) {
	select {
	case <-c:
	default:
		close(c)
	}
}

// Prepare waits for the proxy and has it find out whether it can run a part. The notes are what the user might not expect.
// When ctx ends first, the error is its cause. After an error the host is of no use: see [Host.Close].
func (h *Host) Prepare(ctx context.Context, part Part) (notes []string, err error) {
	select {
	case <-h.greeted:
	case <-h.ended:
		return nil, h.why
	case <-ctx.Done():
		return nil, context.Cause(ctx)
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
	select {
	case err := <-h.settled:
		return h.notes, err
	case <-h.ended:
		return nil, h.why
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// Start starts the ranks of the part, and returns when the proxy has tried to start all of them, has stopped because ctx has
// ended, or is lost. One of which nothing comes for patience is given up.
func (h *Host) Start(ctx context.Context, patience time.Duration) {
	defer context.AfterFunc(ctx, func() { h.conn.send(frame.Frame{Kind: frame.Halt}) })()
	h.conn.send(frame.Frame{Kind: frame.Start})
	h.await(h.allStarted, patience)
}

// Finish has the proxy kill what the ranks have left behind, and end. It returns when all that they have written has come, however
// slowly that is read, and otherwise why it has not, unless [Events].Lost has been told. A proxy of which nothing comes for patience is given up.
func (h *Host) Finish(patience time.Duration) error {
	h.mu.Lock()
	h.finishing = true
	h.mu.Unlock()
	h.conn.send(frame.Frame{Kind: frame.Finish})
	h.await(h.over, patience)
	<-h.over
	select {
	case <-h.finished:
		return nil
	default:
	}
	if h.told {
		return nil
	}
	return h.why
}

// ErrSilent says that nothing has come of a proxy for too long.
var ErrSilent = errors.New("it does not answer any more")

// await waits until done is closed or the host is lost. It gives up a host of which nothing comes for patience, or twice that at
// most, although all has been read that has come.
func (h *Host) await(done <-chan struct{}, patience time.Duration) {
	ticker := time.NewTicker(patience)
	defer ticker.Stop()
	last, _ := h.conn.progress()
	for {
		select {
		case <-done:
			return
		case <-h.over:
			return
		case <-ticker.C:
			now, unread := h.conn.progress()
			if now == last && !unread {
				h.Kill(ErrSilent)
				<-h.over
				return
			}
			last = now
		}
	}
}

// Rest tells the proxy that this process is about to be stopped, or that it goes on: while it rests it says nothing, and is not gone.
func (h *Host) Rest(rests bool) {
	kind := frame.Resume
	if rests {
		kind = frame.Rest
	}
	h.conn.send(frame.Frame{Kind: kind})
}

// Flush returns when what has been sent to the proxy is on its way, or after the time limit.
func (h *Host) Flush(limit time.Duration) { h.conn.flush(limit) }

// Close gives up a host on which nothing runs.
func (h *Host) Close() {
	h.mu.Lock()
	h.finishing = true
	h.mu.Unlock()
	h.Kill(errors.New("it is of no use"))
	<-h.over
}

// Kill ends the remote shell, and with it the connection. The proxy kills its ranks when it finds that mpirun is gone.
func (h *Host) Kill(why error) {
	h.mu.Lock()
	h.killed = cmp.Or(h.killed, why)
	h.mu.Unlock()
	h.end()
}

// end ends the remote shell. What it has started, and has left its group, may hold the connection open: that is closed here.
func (h *Host) end() {
	process.KillGroup(h.agent.Process)
	_ = h.stdout.Close()
}
