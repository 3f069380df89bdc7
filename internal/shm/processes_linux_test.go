package shm_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/sctprpi"
	"github.com/sctpmpi/sctpmpi/tcprpi/perpair"
)

// Tests start this binary again, as a rank that does what its part says.
const (
	partKey    = "SHM_TEST_PART"
	rankKey    = "SHM_TEST_RANK"
	networkKey = "SHM_TEST_NETWORK"

	patience = 5 * time.Minute // against a hang only
)

var networks = map[string]rpi.Open{sctprpi.Name: sctprpi.Open, perpair.Name: perpair.Open}

func TestMain(m *testing.M) {
	name := os.Getenv(partKey)
	if name == "" {
		os.Exit(m.Run())
	}
	if err := play(parts[name]); err != nil {
		fmt.Println("failed:", err)
		os.Exit(1)
	}
}

// part is what a process does that is one of two ranks.
type part struct {
	config func(cfg *rpi.Config)
	before func() error // the transport is opened
	run    func(at rank) error
}

// rank is one of two, with its transport. With the test a process speaks in lines.
type rank struct {
	rpi.Transport
	self, peer int
	lines      *bufio.Reader
}

func (at rank) say(line string) { fmt.Println(line) }

func (at rank) hear() (line string, err error) {
	line, err = at.lines.ReadString('\n')
	return strings.TrimSpace(line), err
}

func config(self int, lookup func(ctx context.Context) (string, error)) rpi.Config {
	return rpi.Config{
		Rank: self, Size: 2, Token: []byte("the job's secret"), SharedMemory: all(self), ConnectTimeout: patience,
		Lookup: func(ctx context.Context, _ int) (string, error) { return lookup(ctx) },
	}
}

// play is a part in a process of its own.
func play(p part) error {
	self, err := strconv.Atoi(os.Getenv(rankKey))
	if err != nil {
		return err
	}
	if p.before != nil {
		if err := p.before(); err != nil {
			return err
		}
	}
	at := rank{self: self, peer: 1 - self, lines: bufio.NewReader(os.Stdin)}
	address, known := "", make(chan struct{})
	cfg := config(self, func(ctx context.Context) (string, error) {
		select {
		case <-known:
			return address, nil
		case <-ctx.Done():
			return "", ctx.Err()
		}
	})
	if p.config != nil {
		p.config(&cfg)
	}
	if at.Transport, err = networks[os.Getenv(networkKey)](cfg); err != nil {
		return err
	}
	at.say(at.Address())
	if address, err = at.hear(); err != nil {
		return err
	}
	close(known)
	return p.run(at)
}

// process is a rank in a process of its own.
type process struct {
	*exec.Cmd
	t       *testing.T
	stdin   io.WriteCloser
	lines   *bufio.Reader
	address string
}

// start starts a process that is a rank, and learns its address.
func start(t *testing.T, network, part string, self int, vary func(*syscall.SysProcAttr)) *process {
	t.Helper()
	p := &process{Cmd: exec.Command("/proc/self/exe"), t: t}
	p.Env = append(os.Environ(), partKey+"="+part, networkKey+"="+network, rankKey+"="+strconv.Itoa(self), "GOTRACEBACK=all")
	p.Stderr = os.Stderr
	p.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if vary != nil {
		vary(p.SysProcAttr)
	}
	var err error
	p.stdin, err = p.StdinPipe()
	require.NoError(t, err)
	stdout, err := p.StdoutPipe()
	require.NoError(t, err)
	p.lines = bufio.NewReader(stdout)
	if err := p.Start(); vary != nil && err != nil {
		t.Skipf("not run: no process of that kind: %v", err)
	} else {
		require.NoError(t, err)
	}
	t.Cleanup(func() {
		if p.ProcessState == nil {
			p.kill()
		}
	})
	p.address = p.hear()
	return p
}

// kill kills the process, if it lives, and takes in its end.
func (p *process) kill() {
	_ = p.Process.Kill()
	_ = p.Wait()
}

func (p *process) hear() string {
	p.t.Helper()
	line, err := p.lines.ReadString('\n')
	require.NoError(p.t, err)
	line = strings.TrimSpace(line)
	require.NotContains(p.t, line, "failed")
	return line
}

func (p *process) tell(line string) {
	p.t.Helper()
	_, err := fmt.Fprintln(p.stdin, line)
	require.NoError(p.t, err)
}

// asleep waits until all threads of the process sleep.
func (p *process) asleep() {
	p.t.Helper()
	for begun := time.Now(); ; {
		tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", p.Process.Pid))
		require.NoError(p.t, err)
		sleeping := 0
		for _, task := range tasks {
			stat, _ := os.ReadFile(task)
			if _, state, _ := strings.Cut(string(stat), ") "); strings.HasPrefix(state, "S") {
				sleeping++
			}
		}
		if sleeping > 0 && sleeping == len(tasks) {
			return
		}
		require.Less(p.t, time.Since(begun), patience)
	}
}

// join is this process as the other rank of a job, to the end of the test or until it is closed.
func (p *process) join(network string, vary func(cfg *rpi.Config)) rank {
	p.t.Helper()
	self, err := strconv.Atoi(p.environment(rankKey))
	require.NoError(p.t, err)
	self = 1 - self
	cfg := config(self, func(context.Context) (string, error) { return p.address, nil })
	if vary != nil {
		vary(&cfg)
	}
	transport, err := networks[network](cfg)
	require.NoError(p.t, err)
	p.t.Cleanup(transport.Kill)
	p.tell(transport.Address())
	return rank{Transport: transport, self: self, peer: 1 - self}
}

func (p *process) environment(key string) (value string) {
	for _, setting := range p.Env {
		if v, ok := strings.CutPrefix(setting, key+"="); ok {
			value = v
		}
	}
	return value
}

// Requests of one byte elements.

func (at rank) request(op rpi.Op, tag int, buf []byte) *rpi.Request {
	return &rpi.Request{Op: op, Peer: matching.Rank(at.peer), Tag: matching.Tag(tag), Type: 1, Elem: 1, Buf: buf}
}

func (at rank) send(tag int, buf []byte) *rpi.Request {
	r := at.request(rpi.OpSend, tag, buf)
	at.Start(r)
	return r
}

func (at rank) receive(tag int, buf []byte) *rpi.Request {
	r := at.request(rpi.OpRecv, tag, buf)
	at.Start(r)
	return r
}

// wait waits for a request inside the transport, and returns its error.
func (at rank) wait(r *rpi.Request) error {
	ctx, cancel := context.WithTimeoutCause(context.Background(), patience, errors.New("a request hangs"))
	defer cancel()
	w := rpi.NewWaiter()
	defer w.Release()
	r.Subscribe(w)
	for !r.Completed() {
		if err := at.Await(ctx, w); err != nil {
			r.Unsubscribe(w)
			panic(err) // the memory is still in use
		}
	}
	r.Unsubscribe(w)
	return r.Err
}

// fill makes the message with a number, which check knows.
func fill(buf []byte, number int) []byte {
	for i := range buf {
		buf[i] = pattern(number, i)
	}
	return buf
}

func check(buf []byte, number int) error {
	for i, b := range buf {
		if b != pattern(number, i) {
			return fmt.Errorf("message %d of %d bytes: byte %d is %d, not %d", number, len(buf), i, b, pattern(number, i))
		}
	}
	return nil
}

// pattern is never 0.
func pattern(number, i int) byte { return byte((number*31+i)%255) + 1 }
