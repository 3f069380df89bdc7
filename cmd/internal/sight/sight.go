// Package sight lets a user look at jobs that run, from another terminal: mpirun listens at a Unix socket, by which mpirun status
// and mpirun top ask it.
//
// The socket is in a folder sctpmpi-UID, of mode 0700, in $XDG_RUNTIME_DIR or else the folder for temporary files. Its mode is 0600, and
// both ends make sure that the other is a process of the same user. A connection has one question, a line, and one answer, a
// line of JSON.
//
// # Bounds
//
// At most 16 viewers are answered at a time. Ranks are asked five times a second at most, however many viewers ask how often. A viewer has
// 5 seconds to ask and 10 to read; one that does not is left.
package sight

import (
	"time"

	"github.com/sctpmpi/sctpmpi/internal/hang"
	"github.com/sctpmpi/sctpmpi/internal/stats"
)

// Job is a job at one time.
type Job struct {
	// Pid is the process number of mpirun, and Name that of the first program.
	Pid  int    `json:"pid"`
	Name string `json:"name"`
	// Size is the number of ranks, Hosts that of the hosts.
	Size  int `json:"size"`
	Hosts int `json:"hosts"`
	// Started is when mpirun was started, Taken when the ranks were asked.
	Started time.Time `json:"started"`
	Taken   time.Time `json:"taken"`
	// Ranks are all of them, by number.
	Ranks []Rank `json:"ranks,omitempty"`
}

// State is what a rank does.
type State string

// The states of ranks.
const (
	Starting  State = "starting"  // its process has not been started, or has not called Init yet
	Computing State = "computing" // no MPI call waits
	Waiting   State = "waiting"   // at least one does
	Stopped   State = "stopped"   // its process has been stopped by a signal
	Silent    State = "silent"    // it does not answer, and is not known to be stopped
	Suspected State = "suspected" // it does not answer, and other ranks suspect it to be dead
	Untold    State = "untold"    // a program of another library, which cannot be asked
	Finalized State = "finalized" // it has called Finalize
	Ended     State = "ended"     // its process has ended
	Dead      State = "dead"      // its process has ended, and the others go on without it
)

// States are all of them, those first that ranks of a job at work are in.
var States = []State{Computing, Waiting, Stopped, Silent, Suspected, Dead, Starting, Untold, Finalized, Ended}

// Rank is a rank at one time.
type Rank struct {
	Rank int `json:"rank"`
	// Host is empty if the job has one. Pid is the process number there.
	Host  string `json:"host,omitempty"`
	Pid   int    `json:"pid,omitempty"`
	State State  `json:"state"`
	// SuspectedBy are ranks that suspect this one to be dead.
	SuspectedBy []int `json:"suspectedBy,omitempty"`
	// Age is how old the sample is, if the rank has not answered now. Without Known there is none.
	Age   time.Duration `json:"age,omitempty"`
	Known bool          `json:"known"`
	stats.Sample
}

// Waits reports whether a call of the rank waits.
func (r *Rank) Waits() bool { return r.State == Waiting }

// Wait is the first call that waits, the longest.
func (r *Rank) Wait() hang.Wait {
	if len(r.Hang.Waits) == 0 {
		return hang.Wait{}
	}
	return r.Hang.Waits[0]
}

// answer is what mpirun says.
type answer struct {
	Job   *Job   `json:"job,omitempty"`
	Error string `json:"error,omitempty"`
}

// The questions.
const (
	askName = "name" // what job is it? Its ranks are not asked
	askLook = "look"
)

const (
	maxViewers    = 16
	maxQuestion   = 64 // bytes
	maxAnswer     = 1 << 30
	questionTime  = 5 * time.Second
	writeTime     = 10 * time.Second
	answerTime    = 30 * time.Second // how long a viewer waits for mpirun
	leastInterval = 200 * time.Millisecond
)
