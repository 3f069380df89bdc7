package align

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestBlosum62IsSymmetricAndNotBelowItsLeast(t *testing.T) {
	least := int8(0)
	for b := range blosum62 {
		for q, score := range blosum62[b] {
			assert.Equal(t, blosum62[q][b], score, "%c and %c", Alphabet[b], Alphabet[q])
			least = min(least, score)
		}
	}
	assert.EqualValues(t, minScore, least)
}

func TestEncode(t *testing.T) {
	assert.Equal(t, []byte{0, 1, 2, 23}, Encode(nil, []byte("ARN*")))
	assert.Equal(t, Encode(nil, []byte(Alphabet)), Encode(nil, []byte("arndcqeghilkmfpstwyvbzx*")), "lower case")
	assert.Equal(t, Encode(nil, []byte("CKL")), Encode(nil, []byte("uoj")), "letters without a row")
	assert.Equal(t, Encode(nil, []byte("XXX")), Encode(nil, []byte("-1\xff")), "no letters")
}

func TestGapsOutOfRangeAreNamed(t *testing.T) {
	assert.NoError(t, Gaps{0, 1}.Check())
	assert.NoError(t, Gaps{MaxGap, MaxGap}.Check())
	assert.EqualError(t, Gaps{-1, 1}.Check(), "gap open penalty -1 is not from 0 to 1000")
	assert.EqualError(t, Gaps{MaxGap + 1, 1}.Check(), "gap open penalty 1001 is not from 0 to 1000")
	assert.EqualError(t, Gaps{11, 0}.Check(), "gap extend penalty 0 is not from 1 to 1000")
	assert.Panics(t, func() { New(Gaps{11, 0}) })
}
