package job

import (
	"github.com/sctpmpi/sctpmpi/cmd/internal/process"
	"github.com/sctpmpi/sctpmpi/internal/pmi"
)

// losses are the ranks that have failed while the job went on without them (Spec.KeepGoing).
type losses struct {
	ways   []string // how each has ended
	status int      // of the first
}

// goOn deals with the failure of a rank that does not end the job. A rank has died if it was killed, or ended between its Init and its
// Finalize: then the other ranks are told. One that exits with a status before or after that says by it that something went wrong,
// which the status of the job is to say too.
func (j *job) goOn(r *rank, f *failure, phase pmi.Phase, outcome process.Outcome) {
	l := &j.losses
	if len(l.ways) == 0 {
		l.status = f.status
	}
	l.ways = append(l.ways, f.text)
	if died := outcome.Signal != 0 || outcome.Lost || phase == pmi.Initialised; !died && j.status == 0 {
		j.status = f.status
	}
	if phase != pmi.Finalised {
		r.dead = true
		j.server.Died(r.number)
	}
	text := f.text
	if j.others() {
		text += "; the job goes on"
	}
	j.say(text)
}

// countLosses makes the job fail if no rank is left that has done well.
func (j *job) countLosses() {
	if n := len(j.losses.ways); n > 0 && n == len(j.ranks) && j.status == 0 {
		j.status = j.losses.status
	}
}

// sayLosses says once more, after all that the ranks have written, which have failed.
func (j *job) sayLosses() {
	for _, text := range j.losses.ways {
		j.stderr.Println("mpirun: lost: " + text)
	}
}
