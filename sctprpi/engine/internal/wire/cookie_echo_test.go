package wire

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

var cookieEchoCodec = codec[[]byte]{
	parse:  ParseCookieEcho,
	append: AppendCookieEcho,
	bytes:  "0a 00 0009 0102030405 000000",
	value:  []byte{1, 2, 3, 4, 5},
	valid:  func(n int) bool { return n > 4 },
	random: func(r *rand.Rand) []byte { return randomBytes(r, 1, 300) },
}

func TestCookieEcho(t *testing.T) { cookieEchoCodec.test(t) }
func FuzzCookieEcho(f *testing.F) { cookieEchoCodec.fuzz(f) }

// RFC 9260, section 5.1.5: a cookie that cannot be authentic is dropped
// silently.
func TestEmptyCookieEchoIsDropped(t *testing.T) {
	_, err := ParseCookieEcho(chunkOf(t, TypeCookieEcho, nil))
	assert.ErrorIs(t, err, ErrEmptyCookieEcho)
	assert.Zero(t, ErrEmptyCookieEcho.Cause)
}
