package job

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/internal/sight"
	"github.com/sctpmpi/sctpmpi/internal/hang"
	"github.com/sctpmpi/sctpmpi/internal/pmi"
	"github.com/sctpmpi/sctpmpi/internal/stats"
)

// lookTime is how long a viewer waits for the ranks. One that has not answered by then is shown with what it has said before.
const lookTime = time.Second

// look is what viewers of the job have been told, and are to be told. A rank is asked again only when it has answered, so a stopped one
// has at most one question to answer when it goes on, and holds up viewers once.
type look struct {
	number  int                // of the last question
	owing   map[int]int        // by rank: the question that it has not answered
	samples map[int]sampleOf   // by rank
	viewers []chan<- sight.Job // that wait
	over    <-chan time.Time   // when they are not to wait any longer; nil if none does
}

// sampleOf is what a rank has said, and when.
type sampleOf struct {
	stats.Sample
	at time.Time
}

// title is what a viewer is told of the job before it chooses it.
func (j *job) title() sight.Job {
	first := j.spec.Apps[0]
	return sight.Job{
		Pid: os.Getpid(), Name: filepath.Base(cmp.Or(first.Name, first.Path)), Size: j.spec.size(), Hosts: len(j.spec.Hosts), Started: j.begun,
	}
}

// see returns how the job is now, or false when all ranks have ended. The goroutine of a viewer calls it.
func (j *job) see() (sight.Job, bool) {
	reply := make(chan sight.Job, 1) // nothing waits for the viewer
	j.post(func() { j.lookFor(reply) })
	select {
	case seen := <-reply:
		return seen, true
	case <-j.over:
		return sight.Job{}, false
	}
}

// lookFor asks all ranks for a viewer.
func (j *job) lookFor(viewer chan<- sight.Job) {
	l := &j.look
	l.viewers = append(l.viewers, viewer)
	if l.over != nil {
		return // the ranks are being asked
	}
	if l.owing == nil {
		l.owing, l.samples = make(map[int]int), make(map[int]sampleOf)
	}
	l.number++
	for r := range j.processes {
		if _, owes := l.owing[r.number]; owes || r.over || j.server.Phase(r.number) != pmi.Initialised {
			continue
		}
		if j.server.Notify(r.number, fmt.Sprintf("%s%d %s", lookPrefix, l.number, hang.AskSample)) {
			l.owing[r.number] = l.number
		}
	}
	l.over = time.After(lookTime)
	j.showIfAll()
}

// lookPrefix tells the numbers of these questions from those of others.
const lookPrefix = "look"

// takeSample takes what a rank says of itself, if that is what its answer is, be it late.
func (j *job) takeSample(rank int, number, answer string) bool {
	owed, owes := j.look.owing[rank]
	if !owes || number != fmt.Sprint(lookPrefix, owed) {
		return false
	}
	if s, err := stats.DecodeSample(answer); err == nil {
		j.look.samples[rank] = sampleOf{s, time.Now()}
	}
	j.sampled(rank)
	return true
}

// sampled notes that a rank owes no answer any more.
func (j *job) sampled(rank int) {
	delete(j.look.owing, rank)
	if j.look.over != nil {
		j.showIfAll()
	}
}

// showIfAll shows the job if all ranks that were asked this time have answered.
func (j *job) showIfAll() {
	for _, number := range j.look.owing {
		if number == j.look.number {
			return
		}
	}
	j.show()
}

// show tells the viewers that wait how the job is.
func (j *job) show() {
	l := &j.look
	seen := j.title()
	seen.Taken = time.Now()
	suspects := make(map[int][]int)
	for number, s := range l.samples {
		if _, owes := l.owing[number]; owes || j.ranks[number].over {
			continue
		}
		for _, other := range s.Suspected {
			suspects[other] = append(suspects[other], number)
		}
	}
	for number := range j.ranks {
		seen.Ranks = append(seen.Ranks, j.seen(number, suspects[number], seen.Taken))
	}
	for _, viewer := range l.viewers {
		viewer <- seen
	}
	l.viewers, l.over = nil, nil
}

// seen is how a rank is.
func (j *job) seen(number int, suspectedBy []int, now time.Time) sight.Rank {
	s, known := j.look.samples[number]
	_, owes := j.look.owing[number]
	is := sight.Rank{Rank: number, SuspectedBy: suspectedBy, Known: known, Sample: s.Sample}
	is.Hang.Rank = number
	r := j.ranks[number]
	if r == nil {
		is.State = sight.Starting
		return is
	}
	is.Host, is.Pid = r.host, r.pidThere
	is.State = j.stateOf(r, owes, known, &is)
	if fresh := is.State == sight.Computing || is.State == sight.Waiting; known && !fresh {
		is.Age = now.Sub(s.at)
	}
	return is
}

func (j *job) stateOf(r *rank, owes, known bool, is *sight.Rank) sight.State {
	phase := j.server.Phase(r.number)
	switch {
	case r.dead:
		return sight.Dead
	case r.over:
		return sight.Ended
	case phase == pmi.Finalised:
		return sight.Finalized
	case phase == pmi.NotStarted:
		return sight.Starting
	case (owes || !known) && r.process.Stopped():
		return sight.Stopped
	case owes && len(is.SuspectedBy) > 0:
		return sight.Suspected
	case owes:
		return sight.Silent
	case !known:
		return sight.Untold
	case len(is.Hang.Waits) > 0 || is.Hang.State != "":
		return sight.Waiting
	}
	return sight.Computing
}
