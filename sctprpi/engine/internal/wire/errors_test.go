package wire

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestErrorSaysWhatWasWrongAndHowToAnswer(t *testing.T) {
	_, err := ParseShutdown(chunkOf(t, TypeShutdown, nil))
	assert.EqualError(t, err, "sctp: SHUTDOWN chunk of a length other than 8")
	var malformed *Error
	assert.ErrorAs(t, err, &malformed)
	assert.Equal(t, CauseProtocolViolation, malformed.Cause)

	for _, silent := range []*Error{ErrShortPacket, ErrZeroPort, ErrPartialChunk, ErrBundled, ErrEmptyCookieEcho} {
		assert.Zero(t, silent.Cause, silent.Rule)
	}
}
