package wire

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// RFC 9260, section 3.2.
func TestHighBitsOfATypeSayWhatToDoIfItIsUnknown(t *testing.T) {
	for _, c := range []struct {
		chunk        ChunkType
		param        ParamType
		action       UnknownAction
		stop, report bool
	}{
		{0x3f, 0x3fff, StopSilently, true, false},
		{0x7f, 0x7fff, StopAndReport, true, true},
		{0xbf, 0xbfff, SkipSilently, false, false},
		{0xff, 0xffff, SkipAndReport, false, true},
	} {
		assert.Equal(t, c.action, c.chunk.UnknownAction())
		assert.Equal(t, c.action, c.param.UnknownAction())
		assert.Equal(t, c.stop, c.action.Stop())
		assert.Equal(t, c.report, c.action.Report())
	}
}

// RFC 4895, section 4, RFC 5061, section 4.1, and RFC 6525, section 3.1:
// the types of what this package does not do.
func TestWhatUnusedExtensionsSendIsHandledAsUnknown(t *testing.T) {
	assert.Equal(t, SkipSilently, ChunkType(0x82).UnknownAction(), "RE-CONFIG")
	assert.Equal(t, StopSilently, ChunkType(0x0f).UnknownAction(), "AUTH")
	assert.Equal(t, SkipAndReport, ChunkType(0xc1).UnknownAction(), "ASCONF")
	assert.Equal(t, SkipSilently, ChunkType(0x80).UnknownAction(), "ASCONF ACK")
}

func TestTypesHaveNames(t *testing.T) {
	assert.Equal(t, "I-FORWARD-TSN", TypeIForwardTSN.String())
	assert.Equal(t, "chunk type 193", ChunkType(193).String())
	assert.Equal(t, "State Cookie", ParamStateCookie.String())
	assert.Equal(t, "parameter type 49153", ParamType(0xc001).String())
	assert.Equal(t, "No User Data", CauseNoUserData.String())
	assert.Equal(t, "cause code 160", CauseCode(160).String())
	assert.Equal(t, "cause code 0", CauseCode(0).String())
}
