package wire

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

var (
	ecneCodec = codec[TSN]{
		parse: ParseECNE, append: AppendECNE,
		bytes: "0c 00 0008 01020304", value: 0x01020304, random: randomTSN,
		valid: func(n int) bool { return n == longECNESize },
	}
	cwrCodec = codec[TSN]{
		parse: ParseCWR, append: AppendCWR,
		bytes: "0d 00 0008 01020304", value: 0x01020304, random: randomTSN,
	}
)

func TestECNE(t *testing.T) { ecneCodec.test(t) }
func FuzzECNE(f *testing.F) { ecneCodec.fuzz(f) }
func TestCWR(t *testing.T)  { cwrCodec.test(t) }
func FuzzCWR(f *testing.F)  { cwrCodec.fuzz(f) }

// draft-stewart-tsvwg-sctpecn, section 4.1: a long ECNE chunk counts marked packets too.
func TestAnECNEThatCounts(t *testing.T) {
	c, err := ParseChunk(unhex(t, "0c 00 000c 01020304 00000005"))
	assert.NoError(t, err)
	tsn, err := ParseECNE(c)
	assert.NoError(t, err)
	assert.Equal(t, TSN(0x01020304), tsn)
}

// A peer that does not know the parameter skips it and says nothing.
func TestECNCapable(t *testing.T) {
	assert.Equal(t, SkipSilently, ParamECNCapable.UnknownAction())
	assert.Equal(t, Params(unhex(t, "8000 0004")), Params{}.AppendECNCapable())
	assert.NoError(t, paramOf(t, "8000 0004").ECNCapable())
	for _, digits := range []string{"8000 0005 01", "8000 0008 00000000"} {
		assert.ErrorIs(t, paramOf(t, digits).ECNCapable(), errECNCapable, digits)
	}
}
