package wire

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// RFC 9260, section 3.3.2.1.3.
func TestCookiePreservative(t *testing.T) {
	const digits = "0009 0008 000003e9"
	assert.Equal(t, Params(unhex(t, digits)), Params{}.AppendCookiePreservative(1001*time.Millisecond))
	increment, err := paramOf(t, digits).CookiePreservative()
	assert.NoError(t, err)
	assert.Equal(t, 1001*time.Millisecond, increment)

	for d, want := range map[time.Duration]string{
		-time.Second: "0009 0008 00000000", 1 << 62: "0009 0008 ffffffff",
	} {
		assert.Equal(t, Params(unhex(t, want)), Params{}.AppendCookiePreservative(d), "%v", d)
	}
	for _, digits := range []string{"0009 0004", "0009 0007 000000", "0009 0009 0000000000"} {
		_, err := paramOf(t, digits).CookiePreservative()
		assert.ErrorIs(t, err, errCookiePreservative, digits)
	}
}

// RFC 9260, section 3.3.3.1.2.
func TestUnrecognizedParameterIsReturnedWhole(t *testing.T) {
	unknown := paramOf(t, "ff01 0007 010203")
	l := Params{}.AppendUnrecognized(unknown)
	assert.Equal(t, Params(unhex(t, "0008 000b ff01 0007 010203")), l)
	got, err := paramOf(t, "0008 000b ff01 0007 010203").Unrecognized()
	assert.NoError(t, err)
	assert.Equal(t, unknown, got)
	for _, digits := range []string{
		"0008 0004", "0008 0006 ff01", "0008 0008 ff01 0000", "0008 0008 ff01 0005", "0008 000c ff01 0004 ff02 0004",
	} {
		_, err := paramOf(t, digits).Unrecognized()
		assert.ErrorIs(t, err, errParamLength, digits)
	}
}

func TestExtensionParameters(t *testing.T) {
	for _, c := range []struct {
		name, bytes string
		params      Params
	}{
		{"RFC 3758, section 3.1", "c000 0004", Params{}.AppendForwardTSNSupported()},
		{"RFC 9653, section 4", "8001 0008 00000001", Params{}.AppendZeroChecksumAcceptable(DetectByDTLS)},
		{"RFC 4820, section 4", "8005 000c 00000000 00000000", Params{}.AppendPadding(12)},
		{
			"RFC 5061, section 4.2.7", "8008 0007 c0 c2 40",
			Params{}.AppendSupportedExtensions(NumbersOf(TypeForwardTSN, TypeIForwardTSN, TypeIData)),
		},
	} {
		assert.Equal(t, Params(unhex(t, c.bytes)), c.params, c.name)
	}
	method, err := paramOf(t, "8001 0008 00000001").ZeroChecksumAcceptable()
	assert.NoError(t, err)
	assert.Equal(t, DetectByDTLS, method)
	_, err = paramOf(t, "8001 0004").ZeroChecksumAcceptable()
	assert.ErrorIs(t, err, errZeroChecksum)
	types := paramOf(t, "8008 0007 c0 c2 40").SupportedExtensions()
	assert.Equal(t, []ChunkType{TypeForwardTSN, TypeIForwardTSN, TypeIData}, slices.Collect(types.All()))
	for _, size := range []int{-4, 0, 3, 6} {
		assert.Empty(t, Params{}.AppendPadding(size), "size %d", size)
	}
}
