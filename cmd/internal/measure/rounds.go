package measure

import (
	"iter"
	"math/rand/v2"
	"slices"
)

// Rounds yields the numbers of rounds, from 1, each with all jobs in the order of that round. It is another one each round, so that what
// changes slowly on the machine befalls all jobs alike, and the same for the same seed.
func Rounds[J any](rounds int, seed uint64, jobs []J) iter.Seq2[int, []J] {
	return func(yield func(int, []J) bool) {
		for round := 1; round <= rounds; round++ {
			order := slices.Clone(jobs)
			random := rand.New(rand.NewPCG(seed, uint64(round)))
			random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
			if !yield(round, order) {
				return
			}
		}
	}
}
