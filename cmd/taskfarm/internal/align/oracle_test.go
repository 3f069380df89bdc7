package align

import "math/rand/v2"

// oracle is the recurrence in the general form of Waterman, Smith and Beyer
// (1976), which tries gaps of every length: slow, and nothing like Gotoh's.
func oracle(gaps Gaps, query, target []byte) (best Alignment) {
	h := make([][]int32, len(query)+1)
	for i := range h {
		h[i] = make([]int32, len(target)+1)
	}
	for j := 1; j <= len(target); j++ {
		for i := 1; i <= len(query); i++ {
			score := max(0, h[i-1][j-1]+int32(blosum62[query[i-1]][target[j-1]]))
			for n := 1; n <= i; n++ {
				score = max(score, h[i-n][j]-gaps.Open-int32(n)*gaps.Extend)
			}
			for n := 1; n <= j; n++ {
				score = max(score, h[i][j-n]-gaps.Open-int32(n)*gaps.Extend)
			}
			h[i][j] = score
			if score > best.Score {
				best = Alignment{score, int32(i), int32(j)}
			}
		}
	}
	return best
}

// sequence returns n random residues.
func sequence(r *rand.Rand, n int) []byte {
	s := make([]byte, n)
	for i := range s {
		s[i] = byte(r.IntN(len(Alphabet)))
	}
	return s
}

// relative returns a sequence that evolved from s by substitutions, insertions
// and deletions.
func relative(r *rand.Rand, s []byte) (evolved []byte) {
	for _, b := range s {
		switch r.IntN(12) {
		case 0:
			evolved = append(evolved, sequence(r, 1)...)
		case 1:
			evolved = append(append(evolved, sequence(r, 1+r.IntN(4))...), b)
		case 2:
		default:
			evolved = append(evolved, b)
		}
	}
	return evolved
}

// family returns n targets, some of which are like the query and some empty.
func family(r *rand.Rand, query []byte, n int) (targets [][]byte) {
	for range n {
		target := sequence(r, r.IntN(50))
		if r.IntN(2) == 0 {
			target = append(target, relative(r, query)...)
		}
		targets = append(targets, target)
	}
	return targets
}
