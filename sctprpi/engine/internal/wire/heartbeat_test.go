package wire

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

var heartbeatCodec = codec[[]byte]{
	parse:  ParseHeartbeat,
	append: AppendHeartbeat,
	bytes:  "04 00 000d 0001 0009 0102030405 000000",
	value:  []byte{1, 2, 3, 4, 5},
	// The padding may be counted.
	valid:  func(n int) bool { return 13 < n && n <= 16 },
	random: func(r *rand.Rand) []byte { return randomBytes(r, 0, 100) },
}

var heartbeatAckCodec = codec[[]byte]{
	parse:  ParseHeartbeatAck,
	append: AppendHeartbeatAck,
	bytes:  "05 00 000d 0001 0009 0102030405 000000",
	value:  heartbeatCodec.value,
	valid:  heartbeatCodec.valid,
	random: heartbeatCodec.random,
}

func TestHeartbeat(t *testing.T)    { heartbeatCodec.test(t) }
func FuzzHeartbeat(f *testing.F)    { heartbeatCodec.fuzz(f) }
func TestHeartbeatAck(t *testing.T) { heartbeatAckCodec.test(t) }
func FuzzHeartbeatAck(f *testing.F) { heartbeatAckCodec.fuzz(f) }

func TestMalformedHeartbeatAck(t *testing.T) {
	for _, value := range []string{
		"",                         // nothing
		"0001",                     // half a parameter header
		"0001 0000",                // a parameter of no length
		"0001 0010 01020304",       // information that is not there
		"0002 0008 01020304",       // another parameter
		"0001 0008 01020304 00",    // something after it
		"0001 0004 0001 0004",      // two of them
		"0001 0005 01 000000 0001", // half of a second one
	} {
		_, err := ParseHeartbeatAck(chunkOf(t, TypeHeartbeatAck, unhex(t, value)))
		assert.ErrorIs(t, err, errHeartbeat, value)
	}
}
