package job

import (
	"fmt"
	"strings"
	"syscall"
	"time"

	"github.com/sctpmpi/sctpmpi/internal/hang"
	"github.com/sctpmpi/sctpmpi/internal/pmi"
)

// answerTime is how long ranks may take to answer a question unless Spec.Answer says.
const answerTime = time.Second

// inquiry is a question to all ranks that take part in MPI.
type inquiry struct {
	number  int
	asked   map[int]bool   // the ranks that have not answered
	answers map[int]string // by rank
	over    <-chan time.Time
	then    func(answers map[int]string)
}

// ask asks all ranks that have initialised MPI and not finalized it. Then is called, by supervise, when all have answered,
// ended, or had the time to. An inquiry that is under way is given up.
func (j *job) ask(what string, then func(answers map[int]string)) {
	q := inquiry{number: j.inquiry.number + 1, asked: make(map[int]bool), answers: make(map[int]string), then: then}
	for r := range j.processes {
		if !r.over && j.server.Phase(r.number) == pmi.Initialised && j.server.Notify(r.number, fmt.Sprintf("%d %s", q.number, what)) {
			q.asked[r.number] = true
		}
	}
	q.over = time.After(j.spec.Answer)
	j.inquiry = q
	if len(q.asked) == 0 {
		j.conclude()
	}
}

// onAnswer is called by the PMI server.
func (j *job) onAnswer(rank int, text string) {
	j.post(func() {
		number, answer, _ := strings.Cut(text, " ")
		if j.takeStatistics(rank, text) || j.takeSample(rank, number, answer) {
			return
		}
		q := &j.inquiry
		if q.then == nil || number != fmt.Sprint(q.number) || !q.asked[rank] {
			return
		}
		q.answers[rank] = answer
		j.answered(rank)
	})
}

// answered notes that no answer is expected of a rank any more.
func (j *job) answered(rank int) {
	q := &j.inquiry
	if !q.asked[rank] {
		return
	}
	delete(q.asked, rank)
	if len(q.asked) == 0 {
		j.conclude()
	}
}

// conclude ends the inquiry that is under way.
func (j *job) conclude() {
	then, answers := j.inquiry.then, j.inquiry.answers
	j.inquiry = inquiry{number: j.inquiry.number}
	then(answers)
}

// explain says what the ranks wait for, and ends the job with a signal.
func (j *job) explain(s syscall.Signal) {
	j.ending = s // nothing that happens from now on is a failure
	j.stop()
	j.ask(hang.AskLast, func(answers map[int]string) {
		if len(answers) > 0 {
			j.sayStates(answers)
		}
		if j.ending == s {
			j.end(s)
		}
	})
}

// sayStates says what ranks have answered, and why others have not.
func (j *job) sayStates(answers map[int]string) {
	var all []hang.Rank
	for r := range j.processes {
		said, err := hang.Decode(answers[r.number])
		switch phase := j.server.Phase(r.number); {
		case err == nil:
		case r.over:
			said.State = "ended before"
		case phase == pmi.NotStarted:
			said.State = "did not call Init"
		case phase == pmi.Finalised:
			said.State = "finalized before"
		default:
			said.State = "did not answer within " + j.spec.Answer.String()
		}
		said.Rank = r.number
		all = append(all, said)
	}
	for _, line := range hang.Lines(all) {
		j.say(line)
	}
}
