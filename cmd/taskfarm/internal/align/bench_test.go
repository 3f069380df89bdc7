package align

import (
	"math/rand/v2"
	"testing"
)

// benchmark reports the speed of search for a query and targets of a protein's
// length, in millions of cells of the matrix per second.
func benchmark(b *testing.B, search func(aligner *Aligner, targets [][]byte)) {
	r := rand.New(rand.NewPCG(9, 10))
	query := sequence(r, 375)
	cells := 0
	var targets [][]byte
	for length := range 128 {
		targets = append(targets, sequence(r, 500-2*length))
		cells += len(query) * len(targets[length])
	}
	aligner := New(Gaps{11, 1})
	aligner.SetQuery(query)
	b.ReportAllocs()
	for b.Loop() {
		search(aligner, targets)
	}
	b.ReportMetric(float64(cells)*float64(b.N)/b.Elapsed().Seconds()/1e6, "MCUPS")
}

func BenchmarkAlign(b *testing.B) {
	benchmark(b, func(aligner *Aligner, targets [][]byte) {
		for _, target := range targets {
			aligner.Align(target)
		}
	})
}

func BenchmarkScores(b *testing.B) {
	scores := make([]int32, 128)
	benchmark(b, func(aligner *Aligner, targets [][]byte) { aligner.Scores(targets, scores) })
}
