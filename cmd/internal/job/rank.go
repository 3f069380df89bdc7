package job

import (
	"cmp"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"

	"github.com/sctpmpi/sctpmpi/cmd/internal/output"
	"github.com/sctpmpi/sctpmpi/cmd/internal/process"
	"github.com/sctpmpi/sctpmpi/internal/pmi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// rank is one process of the job.
type rank struct {
	number         int
	process        proc
	pid            int      // of the process, if it is a child of this one, else 0
	pidThere       int      // of the process, on its host
	host           string   // its name, if the job has several
	where          string   // what messages say of the process
	pmi            net.Conn // nil if it connects to the port of the server
	stdout, stderr *output.Forwarder
	over           bool // it has ended; belongs to supervise
	dead           bool // the others have been told that it is; belongs to supervise
}

// proc is the process of a rank.
type proc interface {
	// Signal does not wait. A process that has ended gets no signal.
	Signal(syscall.Signal)
	// Wait returns when the process has ended and what it has left behind in its group has been killed.
	Wait() process.Outcome
	// Stopped reports whether the process has been stopped, as far as is known. It does not wait.
	Stopped() bool
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
	return fmt.Sprintf("rank %d (%s)", r.number, r.where)
}

// startHere starts the process of the i-th rank of this host.
func (j *job) startHere(i int, stdin *os.File) (*rank, error) {
	number := j.here[i]
	app := &j.spec.Apps[j.apps[number]]
	c := process.Command{
		Rank: number, Size: j.server.Size(), Path: app.Path, Args: app.Args, Dir: app.Dir, Stdin: stdin, Together: j.together, Processors: j.binding.Of(i),
		Env: slices.Concat(j.env, app.Env, app.Libraries, []string{rpi.EnvLocalRank + "=" + strconv.Itoa(i)}),
	}
	if process.NeedsPort {
		c.Port, c.PortID = j.port, j.server.PortID(number)
	}
	p, err := process.Start(c)
	if err != nil {
		return nil, err
	}
	r := &rank{number: number, process: p, pid: p.Pid(), pidThere: p.Pid(), pmi: p.PMI()}
	r.where = fmt.Sprintf("pid %d, %s", p.Pid(), filepath.Base(app.Args[0]))
	if len(j.remotes) > 0 {
		r.host = j.hereName()
	}
	j.forward(r, p.Stdout(), p.Stderr())
	return r, nil
}

// hereName is what the user calls this host.
func (j *job) hereName() string {
	for _, host := range j.spec.Hosts {
		if host.Local {
			return host.Name
		}
	}
	return ""
}

// forward passes on what a rank writes.
func (j *job) forward(r *rank, stdout, stderr output.Source) {
	label := ""
	switch {
	case j.spec.Label && r.host != "":
		label = fmt.Sprintf("[%d@%s] ", r.number, r.host)
	case j.spec.Label:
		label = fmt.Sprintf("[%d] ", r.number)
	}
	r.stdout, r.stderr = j.stdout.Forward(stdout, label), j.stderr.Hold(stderr, label, r.number)
}

// serve serves the requests of a rank.
func (j *job) serve(r *rank) {
	if r.pmi != nil {
		go j.server.ServeConn(r.number, r.pmi)
	}
}

// served is closed when all that a rank has asked for has been dealt with.
func (j *job) served(r *rank) <-chan struct{} {
	if r.pmi == nil && j.server.Phase(r.number) == pmi.NotStarted {
		done := make(chan struct{}) // it may never have connected
		close(done)
		return done
	}
	return j.server.Ended(r.number)
}

// await reports the end of a rank, after all that it has written and asked for has been dealt with.
func (j *job) await(r *rank) {
	outcome := r.process.Wait()
	process.Settle(j.served(r), r.stdout.Done(), r.stderr.Done())
	j.post(func() { j.ended(r, outcome) })
	if r.pmi != nil {
		_ = r.pmi.Close() // the ranks that wait for this one at a fence are told
	}
}

func (j *job) ended(r *rank, outcome process.Outcome) {
	j.running--
	phase := j.server.Phase(r.number)
	status, text := judge(outcome, phase)
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
	case j.ending != 0 && j.status == 0 && j.server.Affected(r.number): // by one that ends, of which this process may hear later
		j.consequence = cmp.Or(j.consequence, status)
	case j.ending != 0 && j.status == 0:
		j.status = status
	case j.spec.KeepGoing && j.ending == 0:
		j.goOn(r, &f, phase, outcome)
	case outcome.Signal != 0:
		j.fail(f)
	default:
		j.failRank(r.number, f)
	}
	j.lookForCause()
	j.answered(r.number) // or never will
	j.sampled(r.number)
}

// judge says with what status a rank has ended, 0 only if it did well, and in what way.
func judge(outcome process.Outcome, phase pmi.Phase) (status int, text string) {
	switch {
	case outcome.Lost:
		return statusFailed, outcome.String()
	case outcome.Signal != 0:
		return statusSignal + outcome.Signal, outcome.String()
	case outcome.Status != 0:
		return outcome.Status, outcome.String()
	case phase == pmi.Initialised:
		return statusFailed, "exited without Finalize"
	}
	return 0, ""
}
