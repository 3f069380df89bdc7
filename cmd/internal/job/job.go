package job

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/internal/output"
	"github.com/sctpmpi/sctpmpi/cmd/internal/process"
	"github.com/sctpmpi/sctpmpi/cmd/internal/sight"
	"github.com/sctpmpi/sctpmpi/internal/pmi"
	"github.com/sctpmpi/sctpmpi/internal/stats"
)

// Exit statuses of the launcher beside those of ranks.
const (
	statusFailed  = 1   // a rank did wrong in a way that has no status of its own
	statusTimeout = 124 // as timeout(1)
	statusSignal  = 128 // plus the number of the signal, as in a shell
)

// DefaultLaunchTimeout is Spec.LaunchTimeout unless it is set.
const DefaultLaunchTimeout = time.Minute

type job struct {
	spec           Spec
	begun          time.Time
	settings       []string // variables for all ranks
	env            []string // of the ranks of this host
	binding        process.Binding
	unbound        error // why there is none
	server         *pmi.Server
	port           string // where ranks find the server, if they cannot inherit a connection
	stdout, stderr *output.Sink
	together       bool // both are one file: what a rank writes to the one and the other keeps its order
	printer        *printer
	outputLost     atomic.Pointer[failure]

	events chan func()   // what has happened, to be dealt with by supervise
	over   chan struct{} // closed when all ranks have ended: no events are taken any more
	halt   atomic.Bool   // no further ranks are started
	stop   func()        // sets halt, and ends what waits for hosts
	halted context.Context
	late   atomic.Bool // a host has not answered in time: no further ones are tried
	// reached: no further host is being connected to.
	reached atomic.Bool

	hurried context.Context // ends when all other hosts are given up
	giveUp  func()          // ends hurried

	apps    []int     // by rank: the number of its application context
	here    []int     // the ranks of this host
	remotes []*remote // the other hosts

	// What follows belongs to the goroutine of supervise.
	ranks       []*rank // by number; nil until they are started
	unstarted   int     // ranks of which it is not known yet whether they can be started
	starting    bool    // ranks are still being started, at least one
	notStarted  *startError
	running     int
	status      int
	consequence int              // the status of a rank that has failed because of another one while the job was ended
	ending      syscall.Signal   // that the ranks have been told to end with, or 0
	interrupted syscall.Signal   // that the user has ended the job with, or 0
	kill        <-chan time.Time // when the ranks that have not ended are killed
	abandon     <-chan time.Time // when hosts are given up whose ranks have not ended although they were killed
	hurry       bool             // the user has asked twice for the end
	flee        <-chan time.Time // when nothing is waited for any longer
	fled        bool             // that time has come
	aborted     *failure         // whose rank may still write why it has aborted the job
	parting     <-chan time.Time // when it has had the time for that

	statistics map[int]stats.Rank // what ranks have counted, by rank

	opening <-chan time.Time    // when standard error of ranks is not held any longer
	folding []*output.Forwarder // of ranks that have failed, to be written by foldOutput
	fold    <-chan time.Time    // when that is done
	unsaid  []string            // messages of the launcher, to be written after that

	effect   effect
	losses   losses
	inquiry  inquiry
	deadlock deadlock
	stops    stops
	look     look
}

// Run runs a job to its end and returns the exit status: 0, or that of the first failure. It takes the process over: it
// handles its signals, adopts what the ranks leave behind, and in the end kills all children.
func Run(spec Spec) int {
	j := newJob(spec)
	j.stdout = output.NewSink(spec.Stdout, func(err error) { j.lostOutput("standard output", err) })
	j.stderr = output.NewSink(spec.Stderr, func(err error) { j.lostOutput("standard error", err) })

	signals := listenForSignals()
	process.AdoptOrphans()
	j.run(signals)
	close(j.over)
	if j.server != nil {
		j.server.Close()
	}

	return j.leave(signals)
}

// leave has all that is left of the ranks killed, waits until all that they have written has been passed on, however slowly that is
// read, and returns the exit status. A signal that asks for the end is obeyed at once: nothing runs any more.
func (j *job) leave(signals <-chan os.Signal) int {
	if j.fled {
		process.KillOrphans(process.OrphanTime)
		return j.status
	}
	status, left, hurry := j.status, make(chan struct{}), j.flee
	go func() {
		j.finish()
		close(left)
	}()
	if j.hurry && hurry == nil {
		hurry = time.After(hurryTime)
	}
	for {
		select {
		case <-left:
			return j.status
		case <-hurry:
		case s := <-signals:
			number := j.signalledLast(s)
			if number == 0 {
				continue
			}
			status = cmp.Or(status, statusSignal+int(number))
		}
		j.giveUp()
		process.KillOrphans(process.OrphanTime)
		return status
	}
}

// finish has all that is left of the ranks killed, and passes on what they have written.
func (j *job) finish() {
	lost := j.finishRemotes() // before all children are killed, which the remote shells are too
	process.KillOrphans(process.OrphanTime)
	for r := range j.processes {
		r.stdout.Drain(process.SettleTime)
		r.stderr.Drain(process.SettleTime)
	}
	for r := range j.processes {
		<-r.stdout.Done()
		<-r.stderr.Done()
	}
	if lost := j.outputLost.Load(); lost != nil {
		j.fail(*lost) // unless it has been dealt with
	}
	for _, text := range lost {
		j.status = cmp.Or(j.status, statusFailed)
		j.say(text)
	}
	j.lastMessages()
	j.sayLosses()
	j.sayStatistics()
	j.joinTraces()
	j.joinProfiles()
}

func newJob(spec Spec) *job {
	spec.Answer = cmp.Or(spec.Answer, answerTime)
	spec.LaunchTimeout = cmp.Or(spec.LaunchTimeout, DefaultLaunchTimeout)
	if len(spec.Hosts) == 0 {
		spec.Hosts = spec.allHere()
	}
	j := &job{
		spec: spec, begun: time.Now(), apps: spec.appNumbers(), printer: newPrinter(), events: make(chan func()), over: make(chan struct{}),
		statistics: make(map[int]stats.Rank),
	}
	for _, host := range spec.Hosts {
		if host.Local {
			j.here = host.Ranks
		} else {
			j.remotes = append(j.remotes, &remote{Host: host})
		}
	}
	j.together = output.Same(spec.Stdout, spec.Stderr)
	j.settings = spec.settings()
	if spec.Bind && len(j.here) > 0 {
		j.binding, j.unbound = process.Bind(len(j.here))
	}
	j.env = process.Environment(os.Environ(), j.settings, len(j.here), j.binding)
	halted, cancel := context.WithCancel(context.Background())
	j.halted, j.stop = halted, func() {
		j.halt.Store(true)
		cancel()
	}
	j.hurried, j.giveUp = context.WithCancel(context.Background())
	return j
}

func (j *job) run(signals <-chan os.Signal) {
	if err := j.prepare(); err != nil {
		j.fail(failure{status: statusFailed, text: err.Error()})
		return
	}
	j.ranks, j.unstarted, j.starting = make([]*rank, j.spec.size()), j.spec.size(), true
	go j.launch()
	if viewers, err := sight.Listen(j.title(), j.see); err == nil { // a job that cannot be looked at runs all the same
		defer viewers.Close()
	} else if j.spec.Verbose {
		j.say(fmt.Sprintf("mpirun status will not find this job: %v", err))
	}
	if show := j.spec.Show; show != nil {
		show.Serve(j.see)
		defer show.Close()
		j.say(show.Welcome())
	}
	j.supervise(signals)
}

func (j *job) prepare() error {
	for _, note := range j.spec.Notes {
		j.say(note)
	}
	if j.unbound != nil {
		return j.unbound
	}
	if err := process.CheckWith(len(j.here), len(j.remotes)); err != nil {
		return err
	}
	if err := j.checkEnvironment(); err != nil {
		return err
	}
	if err := errors.Join(j.spec.checkTrace(), j.spec.checkProfile(), j.spec.checkStatisticsFile()); err != nil {
		return err
	}
	var err error
	j.server, err = pmi.NewServer(pmi.Config{
		Size: j.spec.size(), AppNum: j.apps, Hosts: j.spec.hostNumbers(), KeepGoing: j.spec.KeepGoing,
		Values:  map[string]string{pmi.TokenKey: newToken()},
		OnAbort: j.onAbort, OnFence: j.onFence, OnCut: j.onCut, OnAnswer: j.onAnswer,
	})
	if err != nil {
		return err
	}
	if process.NeedsPort {
		if err = j.listen(); err != nil {
			return err
		}
	}
	if j.spec.Show != nil {
		return j.spec.Show.Listen()
	}
	return nil
}

// listen has ranks connect to a port of the loopback interface.
func (j *job) listen() error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	j.port = l.Addr().String()
	go func() { _ = j.server.Serve(l) }() // ends with this process
	return nil
}

// supervise deals with what happens, from the start of the first rank until none is left.
func (j *job) supervise(signals <-chan os.Signal) {
	var timeout <-chan time.Time
	if j.spec.Timeout > 0 {
		timer := time.NewTimer(j.spec.Timeout)
		defer timer.Stop()
		timeout = timer.C
	}
	j.watchForDeadlock()
	for (j.starting || j.running > 0) && !j.fled {
		select {
		case event := <-j.events:
			event()
		case s := <-signals:
			j.signalled(s)
		case <-timeout:
			j.blameEffect()
			j.fail(failure{status: statusTimeout, explain: true, text: fmt.Sprintf("the job has taken longer than %v", j.spec.Timeout)})
		case <-j.effect.until:
			j.waitLonger()
		case <-j.parting:
			j.sayAborted()
		case <-j.fold:
			j.foldOutput()
		case <-j.opening:
			for r := range j.processes {
				j.open(r)
			}
		case <-j.inquiry.over:
			j.conclude()
		case <-j.look.over:
			j.show()
		case <-j.deadlock.check:
			j.checkForDeadlock()
		case <-j.stops.check:
			j.lookForStops()
		case <-j.kill:
			j.killAll()
		case <-j.abandon:
			j.abandonRemotes()
		case <-j.flee:
			j.fled = true
		}
	}
	j.blameEffect()
	j.countLosses()
	j.status = cmp.Or(j.status, j.consequence)
	if j.interrupted != 0 && j.status == 0 && j.unstarted > 0 {
		j.status = statusSignal + int(j.interrupted) // no rank has decided otherwise
	}
}

// post has supervise deal with an event.
func (j *job) post(event func()) {
	select {
	case j.events <- event:
	case <-j.over:
	}
}
