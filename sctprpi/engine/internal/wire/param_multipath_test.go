package wire

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A peer that does not know the parameter skips it and says nothing.
func TestMultipath(t *testing.T) {
	assert.Equal(t, SkipSilently, ParamMultipath.UnknownAction())
	assert.Equal(t, Params(unhex(t, "b0b1 0004")), Params{}.AppendMultipath())
	assert.NoError(t, paramOf(t, "b0b1 0004").Multipath())
	for _, digits := range []string{"b0b1 0005 01", "b0b1 0008 00000000"} {
		assert.ErrorIs(t, paramOf(t, digits).Multipath(), errMultipath, digits)
	}
}
