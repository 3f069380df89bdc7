package align

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Human haemoglobin alpha and beta and myoglobin: P69905, P68871 and P02144.
const (
	alpha     = "MVLSPADKTNVKAAWGKVGAHAGEYGAEALERMFLSFPTTKTYFPHFDLSHGSAQVKGHGKKVADALTNAVAHVDDMPNALSALSDLHAHKLRVDPVNFKLLSHCLLVTLAAHLPAEFTPAVHASLDKFLASVSTVLTSKYR"
	beta      = "MVHLTPEEKSAVTALWGKVNVDEVGGEALGRLLVVYPWTQRFFESFGDLSTPDAVMGNPKVKAHGKKVLGAFSDGLAHLDNLKGTFATLSELHCDKLHVDPENFRLLGNVLVCVLAHHFGKEFTPPVQAAYQKVVAGVANALAHKYH"
	myoglobin = "MGLSDGEWQLVLNVWGKVEADIPGHGQEVLIRLFKGHPETLEKFDKFKHLKSEDEMKASEDLKKHGATVLTALGGILKKKGHHEAEIKPLAQSHATKHKIPVKYLEFISECIIQVLQSKHPGDFGADAQGAMNKALELFRKDMASNYKELGFQG"
)

// The expected values are those of the library parasail 2.6.
func TestAlignmentsOfGlobins(t *testing.T) {
	for _, c := range []struct {
		query, target string
		gaps          Gaps
		want          Alignment
	}{
		{alpha, beta, Gaps{11, 1}, Alignment{285, 141, 146}},
		{alpha, beta, Gaps{10, 1}, Alignment{288, 141, 146}},
		{alpha, beta, Gaps{4, 2}, Alignment{301, 141, 146}},
		{alpha, myoglobin, Gaps{11, 1}, Alignment{123, 142, 148}},
		{alpha, myoglobin, Gaps{4, 2}, Alignment{136, 142, 148}},
		{beta, myoglobin, Gaps{11, 1}, Alignment{110, 146, 147}},
		{beta, myoglobin, Gaps{4, 2}, Alignment{129, 146, 147}},
		{alpha, alpha, Gaps{11, 1}, Alignment{733, 142, 142}},
	} {
		aligner := New(c.gaps)
		aligner.SetQuery(Encode(nil, []byte(c.query)))
		assert.Equal(t, c.want, aligner.Align(Encode(nil, []byte(c.target))), "%v", c)
	}
}

func TestNothingAlikeIsNoAlignment(t *testing.T) {
	aligner := New(Gaps{11, 1})
	for _, query := range []string{"", "WWWW"} {
		aligner.SetQuery(Encode(nil, []byte(query)))
		for _, target := range []string{"", "AAAA"} {
			assert.Zero(t, aligner.Align(Encode(nil, []byte(target))), "%q, %q", query, target)
		}
	}
}

func TestTieGoesToTheFirstInTheTargetThenInTheQuery(t *testing.T) {
	aligner := New(Gaps{11, 1})
	aligner.SetQuery(Encode(nil, []byte("WPPPPPPPPPPPPW")))
	assert.Equal(t, Alignment{11, 1, 2}, aligner.Align(Encode(nil, []byte("GWGGGGGGGGGGGGGGGW"))))
}

func TestAlignAgreesWithTheGeneralRecurrence(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		gaps := Gaps{Open: r.Int32N(13), Extend: 1 + r.Int32N(3)}
		query := sequence(r, r.IntN(60))
		aligner := New(gaps)
		aligner.SetQuery(query)
		for _, target := range family(r, query, 5) {
			require.Equal(t, oracle(gaps, query, target), aligner.Align(target), "%v %v %v", gaps, query, target)
		}
	}
}

func FuzzAlign(f *testing.F) {
	f.Add(byte(11), byte(1), []byte(alpha), []byte(beta))
	f.Add(byte(0), byte(1), []byte("WPPW"), []byte("gwggw"))
	f.Add(byte(200), byte(200), []byte("*BJOUXZ"), []byte("*BJOUXZ"))
	f.Fuzz(func(t *testing.T, open, extend byte, query, target []byte) {
		if len(query) > 60 || len(target) > 60 {
			return // the oracle takes cubic time
		}
		gaps := Gaps{int32(open), max(1, int32(extend))}
		query, target = Encode(nil, query), Encode(nil, target)
		aligner := New(gaps)
		aligner.SetQuery(query)
		want := oracle(gaps, query, target)
		require.Equal(t, want, aligner.Align(target))
		scores := make([]int32, 3)
		aligner.Scores([][]byte{target, query, target}, scores)
		require.Equal(t, min(want.Score, Limit), scores[0])
		require.Equal(t, scores[0], scores[2])
	})
}
