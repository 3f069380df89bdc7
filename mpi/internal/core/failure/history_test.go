package failure

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/stretchr/testify/require"
)

// histories tries random histories of a kind, of jobs of 2 processes or more.
func histories(t *testing.T, kind uint64, most int, history func(j *job)) {
	for seed := range *seeds {
		r := rand.New(rand.NewPCG(seed, kind))
		j := newJob(t, r, 2+r.IntN(most-1))
		j.log = append(j.log, fmt.Sprintf("seed %d", seed))
		history(j)
	}
}

// agreeing is a program of agreements on communicators that are made and released one after the other.
func agreeing() (program []op) {
	for context := matching.Context(8); context <= 24; context += 8 {
		program = append(program, opens(context))
		for number := range 3 {
			program = append(program, agrees(context, number))
		}
		program = append(program, closes(context))
	}
	return program
}

// Processes die at any time: those that live agree, and those that died before have agreed with them. Notices come for communicators
// that a process does not have yet, or not any more.
func TestSurvivorsAgree(t *testing.T) {
	histories(t, 1, 7, func(j *job) {
		for _, p := range j.processes {
			p.program = agreeing()
		}
		j.play(j.IntN(len(j.processes)), 40, func() {})
		j.check()
	})
}

// If one survivor knows that a communicator has been revoked all do, and agreements on it go on.
func TestAllSurvivorsHearOfARevocation(t *testing.T) {
	revoked := 0
	histories(t, 2, 24, func(j *job) {
		const context = 8
		for _, p := range j.processes {
			p.program = []op{opens(context), agrees(context, 0)}
		}
		for range 1 + j.IntN(2) {
			p := j.processes[j.IntN(len(j.processes))]
			p.program = slices.Insert(p.program, 1+j.IntN(len(p.program)), revokes(context))
		}
		j.play(j.IntN(len(j.processes)), 4, func() {})
		j.check()
		know, living := 0, 0
		for _, p := range j.processes {
			if !p.dead {
				living++
				if p.states[context].Revoked() {
					know++
				}
			}
		}
		if know > 0 {
			require.Equal(t, living, know, "%v", j.log)
			revoked++
		}
	})
	require.Greater(t, revoked, int(*seeds)/2)
}

// A process that others take for dead, though it lives, leaves its job. The others agree all the same, and all its agreements end.
func TestOthersAgreeWithoutAnOutcast(t *testing.T) {
	expelled := 0
	synctest.Test(t, func(t *testing.T) {
		histories(t, 3, 7, func(j *job) {
			for _, p := range j.processes {
				p.program = agreeing()
			}
			p, peer := j.processes[0], matching.Rank(j.IntN(len(j.processes)))
			for p.Rank == int(peer) {
				p = j.processes[j.IntN(len(j.processes))]
			}
			suspects := op{what: fmt.Sprintf("takes %d for dead", peer), do: func(p *process) { p.GiveUp(peer, errEnded) }}
			p.program = slices.Insert(p.program, j.IntN(len(p.program)), suspects)
			j.play(j.IntN(len(j.processes)), 40, synctest.Wait) // an outcast departs on a goroutine
			j.check()
			if j.processes[peer].Expelled() {
				expelled++
			}
		})
	})
	require.Greater(t, expelled, int(*seeds)/2)
}
