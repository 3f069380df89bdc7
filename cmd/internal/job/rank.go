package job

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"

	"github.com/sctpmpi/sctpmpi/cmd/internal/output"
	"github.com/sctpmpi/sctpmpi/mpi/pmi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// rank is one process of the job.
type rank struct {
	number         int
	command        *exec.Cmd
	link           link
	stdout, stderr *output.Forwarder
	over           bool // it has ended; belongs to supervise
	signalGuard
}

// processes is an iterator over the ranks that have been started.
func (j *job) processes(yield func(*rank) bool) {
	for _, r := range j.ranks {
		if r != nil && !yield(r) {
			return
		}
	}
}

// name names a rank in messages.
func (j *job) name(number int) string {
	r := j.ranks[number]
	if r == nil { // one that has connected before it is known that it has been started
		return fmt.Sprintf("rank %d", number)
	}
	return fmt.Sprintf("rank %d (pid %d, %s)", r.number, r.command.Process.Pid, filepath.Base(r.command.Args[0]))
}

// start starts the process of a rank.
func (j *job) start(number int, app *App, stdin *os.File) (*rank, error) {
	var readEnds []*os.File // to be closed unless the process starts
	pipe := func() (*os.File, error) {
		r, w, err := os.Pipe()
		if err == nil {
			readEnds = append(readEnds, r)
		}
		return w, err
	}
	fail := func(err error) (*rank, error) {
		for _, file := range readEnds {
			_ = file.Close()
		}
		return nil, err
	}

	stdout, err := pipe()
	if err != nil {
		return fail(err)
	}
	defer stdout.Close() // the process has its own
	stderr, err := pipe()
	if err != nil {
		return fail(err)
	}
	defer stderr.Close()
	link, err := j.connector.link(number)
	if err != nil {
		return fail(err)
	}
	defer link.closeTheirs()

	r := &rank{number: number, link: link, command: &exec.Cmd{
		Path: app.Path, Args: app.Args, Dir: app.Dir,
		Env:    slices.Concat(j.env, app.Env, link.env, []string{rpi.EnvLocalRank + "=" + strconv.Itoa(number)}),
		Stdout: stdout, Stderr: stderr, ExtraFiles: link.theirs,
		SysProcAttr: attributes(),
	}}
	if stdin != nil {
		r.command.Stdin = stdin
	}
	if err := r.command.Start(); err != nil {
		link.close()
		return fail(err)
	}
	label := ""
	if j.spec.Label {
		label = "[" + strconv.Itoa(number) + "] "
	}
	r.stdout, r.stderr = j.stdout.Forward(readEnds[0], label), j.stderr.Hold(readEnds[1], label, number)
	return r, nil
}

// await reports the end of a rank, after all that it has written and asked for has been dealt with.
func (j *job) await(r *rank) {
	r.wait()
	settle, cancel := context.WithTimeout(context.Background(), settleTime)
	defer cancel()
	for _, done := range []<-chan struct{}{r.link.ended(), r.stdout.Done(), r.stderr.Done()} {
		select {
		case <-done:
		case <-settle.Done():
		}
	}
	j.post(func() { j.ended(r) })
	r.link.close() // the ranks that wait for this one at a fence are told
}

func (j *job) ended(r *rank) {
	j.running--
	status, text := r.outcome(j.server.Phase(r.number))
	if status == 0 {
		j.open(r)
	} else {
		j.holdOutput(r)
	}
	r.over = true
	if j.aborted != nil && j.aborted.aborter == r {
		j.sayAborted()
	}
	switch f := (failure{status: status, text: j.name(r.number) + " " + text}); {
	case status == 0:
	case j.ending != 0 && j.status == 0:
		j.status = status
	case r.killed():
		j.fail(f)
	default:
		j.failRank(r.number, f)
	}
}

// killed reports whether a signal has ended the rank.
func (r *rank) killed() bool {
	state := r.command.ProcessState
	if state == nil {
		return false
	}
	wait, ok := state.Sys().(syscall.WaitStatus)
	return ok && wait.Signaled()
}

// outcome says with what status a rank has ended, 0 only if it did well, and in what way.
func (r *rank) outcome(phase pmi.Phase) (status int, text string) {
	state := r.command.ProcessState
	if state == nil {
		return statusFailed, "is lost: the system does not say how it has ended"
	}
	if r.killed() {
		wait := state.Sys().(syscall.WaitStatus)
		text = fmt.Sprintf("was killed by signal %d (%v)", int(wait.Signal()), wait.Signal())
		if wait.CoreDump() {
			text += ", core dumped"
		}
		return statusSignal + int(wait.Signal()), text
	}
	if code := state.ExitCode(); code != 0 {
		return code & 0xff, fmt.Sprintf("exited with status %d", code)
	}
	if phase == pmi.Initialised {
		return statusFailed, "exited without Finalize"
	}
	return 0, ""
}
