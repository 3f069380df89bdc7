// Package hang words what the ranks of a job wait for, for people whose program does not go
// on. It is for package mpi and mpirun, not for programs. A rank says it with a Rank, Lines
// makes text of those of all ranks.
package hang

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/sctpmpi/sctpmpi/internal/terminal"
)

// What a launcher may ask a rank: for a Pulse, for a Rank, and for a Rank because it is about to
// end the job, so that the rank need not say it once more.
const (
	AskPulse = "pulse"
	AskState = "state"
	AskLast  = "last"
	// AskSample is for a stats.Sample.
	AskSample = "sample"
)

// Rank is what one rank says.
type Rank struct {
	Rank int `json:"rank"`
	// Waits are the MPI calls that wait, More counts those that are left out.
	Waits []Wait `json:"waits,omitempty"`
	More  int    `json:"more,omitempty"`
	// Beside is what there is beside: open operations that no call waits for, and messages that
	// no call has received.
	Beside string `json:"beside,omitempty"`
	// State, unless empty, is said in place of all others.
	State string `json:"state,omitempty"`
}

// Wait is one MPI call that waits.
type Wait struct {
	// In is the call, At its place in the program, if they are known.
	In string `json:"in,omitempty"`
	At string `json:"at,omitempty"`
	// For is what it waits for.
	For string `json:"for,omitempty"`
	// Peers are ranks of the job that it waits for, the first MaxPeers of them. Any: any rank may
	// end the wait.
	Peers []int `json:"peers,omitempty"`
	Any   bool  `json:"any,omitempty"`
	// Time is for how long it has.
	Time time.Duration `json:"time"`
}

// Pulse is what a rank says to tell whether the job is in a deadlock.
type Pulse struct {
	// Stuck: all goroutines that use MPI wait for other ranks to do something.
	Stuck bool `json:"stuck"`
	// Sent and Received are those of an rpi.Snapshot, without messages to and from the dead.
	Sent     uint64 `json:"sent"`
	Received uint64 `json:"received"`
	// Dead is how many processes of the job the rank knows to be dead.
	Dead int `json:"dead,omitempty"`
}

// Limits of a Rank, in calls that wait, peers of each and bytes of each text.
const (
	MaxWaits = 8
	MaxPeers = 16
	maxText  = 300
)

// MaxEncoded is what an encoded Rank has at most, in bytes.
const MaxEncoded = 4000

// Encode returns r as text of printable characters, with less in it if it is too long.
func (r Rank) Encode() string {
	for {
		b, err := json.Marshal(r)
		if err == nil && len(b) <= MaxEncoded {
			return string(b)
		}
		if len(r.Waits) == 0 {
			r.Beside, r.State = "", "has more to say than there is room for"
			continue
		}
		r.Waits = r.Waits[:len(r.Waits)-1]
		r.More++
	}
}

// Decode reads what Encode has written. It may come from any program.
func Decode(text string) (Rank, error) {
	var r Rank
	if len(text) > MaxEncoded {
		return r, errors.New("too long")
	}
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		return r, err
	}
	return r, r.Check()
}

// Check makes what has come from any program fit to be shown.
func (r *Rank) Check() error {
	if len(r.Waits) > MaxWaits {
		return fmt.Errorf("%d calls wait, more than %d", len(r.Waits), MaxWaits)
	}
	for i := range r.Waits {
		w := &r.Waits[i]
		w.In, w.At, w.For = clean(w.In), clean(w.At), clean(w.For)
		w.Time = max(w.Time, 0)
		w.Peers = w.Peers[:min(len(w.Peers), MaxPeers)]
	}
	r.Beside, r.State, r.More = clean(r.Beside), clean(r.State), max(r.More, 0)
	return nil
}

// clean makes one line of a text that is not too long.
func clean(s string) string {
	if s = terminal.Line(s); len(s) > maxText {
		s = strings.ToValidUTF8(s[:maxText], "") + "..."
	}
	return s
}
