package job

import (
	"time"

	"github.com/sctpmpi/sctpmpi/internal/hang"
)

// Ranks that wait for one that has been stopped, as by SIGSTOP, look as if they hung. So the user is told of it, once for each rank.

// stops is what is known of ranks that have been stopped.
type stops struct {
	check   <-chan time.Time // when to look; nil: nothing has happened that a look is worth
	said    map[int]bool     // the ranks of which the user has been told
	resting bool             // this process has been stopped too, and so have its ranks
}

// suspectStops has the ranks looked at when the time of Spec.Deadlock is over: a child of this process has stopped, or a rank has not
// answered. Shorter stops are of no interest.
func (j *job) suspectStops() {
	s := &j.stops
	if s.check != nil || s.resting || j.spec.Deadlock == 0 {
		return
	}
	s.check = time.After(j.spec.Deadlock)
	for r := range j.processes {
		if len(j.remotes) > 0 && !r.over {
			r.process.Stopped() // its proxy is asked
		}
	}
}

// lookForStops tells the user of ranks that have been stopped.
func (j *job) lookForStops() {
	s := &j.stops
	s.check = nil
	if s.resting || j.ending != 0 {
		return
	}
	var stopped []int
	for r := range j.processes {
		if !r.over && !s.said[r.number] && r.process.Stopped() {
			stopped = append(stopped, r.number)
		}
	}
	if len(stopped) == 0 {
		return
	}
	if s.said == nil {
		s.said = make(map[int]bool)
	}
	for _, number := range stopped {
		s.said[number] = true
	}
	text := j.name(stopped[0]) + " has been stopped"
	if len(stopped) > 1 {
		text = "ranks " + hang.List(stopped) + " have been stopped"
	}
	j.say(text + ", by a signal such as SIGSTOP or by a debugger; what waits for that goes on after SIGCONT")
}

// rest notes that this process, which has stopped its ranks, is about to be stopped, or is there again.
func (s *stops) rest(resting bool) { s.check, s.resting = nil, resting }
