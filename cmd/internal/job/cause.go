package job

import (
	"time"

	"github.com/sctpmpi/sctpmpi/internal/pmi"
)

// When a rank dies its peers may see that, and fail, before the launcher does. So the launcher does not name a rank that has seen
// another one fail until it knows how that one has ended.

const (
	// causeTime is how long the launcher waits for a rank that a peer takes for dead, as long as the rank has its connection for PMI.
	causeTime = 5 * time.Second
	// dyingTime is how long it waits for one that has lost that too: the process is being taken down, which may take long on a busy host.
	dyingTime = time.Minute
)

// effect is a failure that most likely follows from another rank's. There is none if failure is nil.
type effect struct {
	failure *failure
	rank    int              // that has failed
	until   <-chan time.Time // when the cause is waited for no longer, unless its process is being taken down
	longer  bool             // until is the end of dyingTime
}

// failRank deals with the failure of a rank. If the rank has seen another one fail, that one is the cause, and the job ends because
// of it, or because of this one when that cannot be.
func (j *job) failRank(number int, f failure) {
	switch {
	case !j.server.Affected(number) || j.spec.KeepGoing: // the failure of another rank is no reason to end the job
		j.fail(f)
	case j.ending == 0 && j.effect.failure == nil:
		j.effect = effect{failure: &f, rank: number, until: time.After(causeTime)}
		j.lookForCause()
	}
}

// lookForCause names the effect if the cause will not become known: all ranks have ended that it can be.
func (j *job) lookForCause() {
	if j.effect.failure == nil || j.ending != 0 {
		return
	}
	if awaited, _ := j.causes(); !awaited {
		j.blameEffect()
	}
}

// waitLonger names the effect unless its cause is a process that is being taken down.
func (j *job) waitLonger() {
	if _, dying := j.causes(); dying && !j.effect.longer {
		j.effect.until, j.effect.longer = time.After(dyingTime-causeTime), true
		return
	}
	j.blameEffect()
}

// blameEffect ends the job because of a failure whose cause has not become known.
func (j *job) blameEffect() {
	if j.effect.failure != nil {
		j.fail(*j.effect.failure)
	}
}

// causes reports whether a rank is awaited that may be the cause of the effect, and whether the process of one is being taken
// down. A rank that has failed because of a further one leads to that.
func (j *job) causes() (awaited, dying bool) {
	seen := map[int]bool{j.effect.rank: true}
	for left := []int{j.effect.rank}; len(left) > 0; left = left[1:] {
		for _, number := range j.server.Causes(left[0]) {
			if seen[number] {
				continue
			}
			seen[number] = true
			switch {
			case number == pmi.AnyPeer:
				awaited = true
			case j.settled(number):
				left = append(left, number)
			default:
				awaited = true
				dying = dying || j.dying(number)
			}
		}
	}
	return awaited, dying
}

// settled reports whether a rank is no cause: if it has failed it was because of another one, else the job would be ending.
func (j *job) settled(number int) bool {
	r := j.ranks[number]
	return r != nil && r.over || j.server.Phase(number) == pmi.Aborted && j.server.Affected(number)
}

// dying reports whether a rank has lost its connection for PMI without having finalized.
func (j *job) dying(number int) bool {
	select {
	case <-j.server.Ended(number):
		return j.server.Phase(number) != pmi.Finalised
	default:
		return false
	}
}
