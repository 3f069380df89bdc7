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
)

// rank is one process of the job.
type rank struct {
	number         int
	command        *exec.Cmd
	link           link
	stdout, stderr *output.Forwarder
	burial
}

// String names a rank in messages.
func (r *rank) String() string {
	return fmt.Sprintf("rank %d (pid %d, %s)", r.number, r.command.Process.Pid, filepath.Base(r.command.Args[0]))
}

// start starts the process of a rank and a goroutine that waits for its end.
func (j *job) start(number int, app *App, stdin *os.File) (*rank, error) {
	var ours []*os.File // to be closed unless the process starts
	pipe := func() (*os.File, error) {
		r, w, err := os.Pipe()
		if err == nil {
			ours = append(ours, r)
		}
		return w, err
	}
	fail := func(err error) (*rank, error) {
		for _, file := range ours {
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
	link, err := j.wiring.link(number)
	if err != nil {
		return fail(err)
	}
	defer link.closeTheirs()

	r := &rank{number: number, link: link, command: &exec.Cmd{
		Path: app.Path, Args: app.Args, Dir: app.Dir,
		Env:    slices.Concat(j.env, app.Env, link.env, []string{"SCTPMPI_LOCAL_RANK=" + strconv.Itoa(number)}),
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
	r.stdout, r.stderr = j.stdout.Forward(ours[0], label), j.stderr.Forward(ours[1], label)
	link.serve()
	go j.await(r)
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
	r.link.close() // so that whoever needs this rank at a fence is told
	j.post(func() { j.ended(r) })
}

func (j *job) ended(r *rank) {
	j.running--
	status, text := r.outcome(j.server.Phase(r.number))
	switch {
	case status == 0:
	case !j.ending:
		j.fail(status, fmt.Sprintf("%v %s", r, text))
	case j.status == 0:
		j.status = status
	}
}

// outcome says with what status a rank has ended, 0 only if it did well, and in what way.
func (r *rank) outcome(phase pmi.Phase) (status int, text string) {
	state := r.command.ProcessState
	if state == nil {
		return statusFailed, "is lost: the system does not say how it has ended"
	}
	if wait, ok := state.Sys().(syscall.WaitStatus); ok && wait.Signaled() {
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
