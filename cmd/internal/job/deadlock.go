package job

import (
	"encoding/json"
	"time"

	"github.com/sctpmpi/sctpmpi/internal/hang"
)

// The ranks are asked rarely whether they can go on: first after the time that Spec.Deadlock says, then after twice as long
// each time, up to longestCheck. If none can they are asked once more, after confirmTime at most.
const (
	longestCheck = 5 * time.Minute
	confirmTime  = time.Second
)

// deadlock looks for one.
type deadlock struct {
	every time.Duration
	check <-chan time.Time
	last  map[int]hang.Pulse // of the ranks, if none could go on
}

// watchForDeadlock begins to look for one.
func (j *job) watchForDeadlock() {
	if j.spec.Deadlock > 0 {
		j.deadlock.every = j.spec.Deadlock
		j.deadlock.check = time.After(j.deadlock.every)
	}
}

// checkForDeadlock asks the ranks. Only if they all wait for each other twice, have sent and received nothing meanwhile, and
// nothing is on the way between them, none of them can go on (Mattern's counting of messages in two rounds).
func (j *job) checkForDeadlock() {
	if j.ending != 0 {
		return
	}
	j.ask(hang.AskPulse, func(answers map[int]string) {
		d := &j.deadlock
		if len(answers) < j.running {
			j.suspectStops()
		}
		now := j.stuck(answers)
		switch {
		case now == nil:
			d.every = min(2*d.every, longestCheck)
			d.check = time.After(d.every)
		case !same(now, d.last):
			d.check = time.After(min(d.every, confirmTime))
		default:
			d.check = nil
			j.ask(hang.AskState, func(answers map[int]string) {
				j.say("this looks like a deadlock: every rank waits for others, and no message is on its way; the job goes on")
				j.sayStates(answers)
			})
		}
		d.last = now
	})
}

// stuck returns what the ranks have answered if none of them can go on, else nil. The dead are not asked: all others have to know of
// exactly those, as they count no messages with them.
func (j *job) stuck(answers map[int]string) map[int]hang.Pulse {
	pulses := make(map[int]hang.Pulse, len(answers))
	var sent, received uint64
	dead := 0
	for r := range j.processes {
		if r.dead {
			dead++
		}
	}
	for r := range j.processes {
		if r.dead {
			continue
		}
		var p hang.Pulse
		if json.Unmarshal([]byte(answers[r.number]), &p) != nil || !p.Stuck || p.Dead != dead {
			return nil
		}
		sent, received = sent+p.Sent, received+p.Received
		pulses[r.number] = p
	}
	if sent != received || len(pulses) == 0 || len(pulses)+dead != len(j.ranks) {
		return nil
	}
	return pulses
}

// same reports whether no rank has sent or received anything between two rounds.
func same(now, last map[int]hang.Pulse) bool {
	if len(now) != len(last) {
		return false
	}
	for rank, p := range now {
		if last[rank] != p {
			return false
		}
	}
	return true
}
