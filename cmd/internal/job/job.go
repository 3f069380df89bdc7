package job

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/internal/output"
	"github.com/sctpmpi/sctpmpi/mpi/pmi"
)

// Exit statuses of the launcher beside those of ranks.
const (
	statusFailed      = 1   // a rank did wrong in a way that has no status of its own
	statusTimeout     = 124 // as timeout(1)
	statusNotRunnable = 126 // as in a shell
	statusNotFound    = 127 // as in a shell
	statusSignal      = 128 // plus the number of the signal, as in a shell
)

const (
	// settleTime is how long after its exit a rank's last output and PMI requests are waited for, before it is
	// reported. Only a process that escaped from its group with the rank's descriptors can make it last so long.
	settleTime = 250 * time.Millisecond
	// orphanTime is how long processes that ranks have left behind are waited for once they are killed.
	orphanTime = 500 * time.Millisecond
)

type job struct {
	spec           Spec
	env            []string
	server         *pmi.Server
	wiring         *wiring
	stdout, stderr *output.Sink
	messages       chan string
	outputLost     atomic.Pointer[failure]

	events chan func()   // what has happened, to be dealt with by supervise
	over   chan struct{} // closed when all ranks have ended: nobody takes events any more

	// What follows belongs to the goroutine of supervise, once the ranks are started.
	ranks       []*rank
	running     int
	status      int
	ending      bool           // the ranks have been told to end
	interrupted syscall.Signal // that the user has ended the job with, or 0
	kill        <-chan time.Time
}

// Run runs a job to its end and returns the exit status: 0, or that of the first failure. It takes the process over: it
// handles its signals, adopts what the ranks leave behind, and in the end kills all children.
func Run(spec Spec) int {
	j := &job{
		spec: spec, env: spec.common(os.Environ()),
		messages: make(chan string, 64), events: make(chan func()), over: make(chan struct{}),
	}
	j.stdout = output.NewSink(spec.Stdout, func(err error) { j.lostOutput("standard output", err) })
	j.stderr = output.NewSink(spec.Stderr, func(err error) { j.lostOutput("standard error", err) })
	printed := make(chan struct{})
	go func() {
		defer close(printed)
		for text := range j.messages {
			j.stderr.Println("mpirun: " + text)
		}
	}()

	signals, stop := listen()
	defer stop()
	adoptOrphans()
	j.run(signals)
	close(j.over)
	if j.server != nil {
		j.server.Close()
	}

	killOrphans(orphanTime)
	for _, r := range j.ranks {
		r.stdout.Drain(settleTime)
		r.stderr.Drain(settleTime)
	}
	for _, r := range j.ranks {
		<-r.stdout.Done()
		<-r.stderr.Done()
	}
	if lost := j.outputLost.Load(); lost != nil {
		j.fail(lost.status, lost.text) // unless it has been dealt with
	}
	close(j.messages)
	<-printed
	return j.status
}

func (j *job) run(signals <-chan os.Signal) {
	if err := j.prepare(); err != nil {
		j.fail(statusFailed, err.Error())
		return
	}
	started := make(chan error)
	go j.launch(started)
	if err := <-started; err != nil {
		j.fail(startStatus(err), err.Error())
	}
	j.supervise(signals)
}

func (j *job) prepare() error {
	var appNum []int
	for i, app := range j.spec.Apps {
		for range app.N {
			appNum = append(appNum, i)
		}
	}
	var err error
	j.server, err = pmi.NewServer(pmi.Config{Size: j.spec.size(), AppNum: appNum, OnAbort: j.onAbort, OnCut: j.onCut})
	if err != nil {
		return err
	}
	j.wiring, err = newWiring(j.server)
	return err
}

// launch starts all ranks. Linux kills a child when the thread that made it ends, not the process, so this goroutine
// keeps its thread until no rank is left.
func (j *job) launch(started chan<- error) {
	runtime.LockOSThread()
	started <- j.startAll()
	<-j.over
}

func (j *job) startAll() error {
	stdin := openStdin(j.spec.Stdin)
	defer stdin.close()
	for i, app := range j.spec.Apps {
		for range app.N {
			r, err := j.start(len(j.ranks), &j.spec.Apps[i], stdin.file)
			if err != nil {
				return fmt.Errorf("cannot start rank %d: %w", len(j.ranks), err)
			}
			j.ranks = append(j.ranks, r)
			j.running++
			stdin.file = nil // for rank 0 only
		}
	}
	return nil
}

func startStatus(err error) int {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return statusNotFound
	case errors.Is(err, fs.ErrPermission), isExecFormat(err):
		return statusNotRunnable
	}
	return statusFailed
}

// supervise deals with what happens until no rank is left.
func (j *job) supervise(signals <-chan os.Signal) {
	var timeout <-chan time.Time
	if j.spec.Timeout > 0 {
		timer := time.NewTimer(j.spec.Timeout)
		defer timer.Stop()
		timeout = timer.C
	}
	for j.running > 0 {
		select {
		case event := <-j.events:
			event()
		case s := <-signals:
			j.signalled(s)
		case <-timeout:
			j.fail(statusTimeout, fmt.Sprintf("the job has taken longer than %v", j.spec.Timeout))
		case <-j.kill:
			j.killAll()
		}
	}
}

// post has supervise deal with an event.
func (j *job) post(event func()) {
	select {
	case j.events <- event:
	case <-j.over:
	}
}

// say prints a message. It never waits, so that a full pipe at standard error cannot keep the job from being ended.
func (j *job) say(text string) {
	select {
	case j.messages <- text:
	default:
	}
}
