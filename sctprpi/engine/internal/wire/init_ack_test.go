package wire

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

var someInitAck = withCookie(someInit, []byte("cookie"))

func withCookie(i Init, cookie []byte) Init {
	i.Params = i.Params.AppendStateCookie(cookie)
	return i
}

type initAck struct {
	Init   Init
	Cookie []byte
}

var initAckCodec = codec[initAck]{
	parse: func(c Chunk) (initAck, error) {
		i, cookie, err := ParseInitAck(c)
		return initAck{i, cookie}, err
	},
	append: func(b []byte, a initAck) []byte { return AppendInitAck(b, &a.Init) },
	bytes: "02 00 002a 0a0b0c0d 00010000 0400 0800 01020304" +
		"0005 0008 7f000001 c000 0004 0007 000a 636f6f6b6965 0000",
	value: initAck{someInitAck, []byte("cookie")},
	// Up to 2 bytes of padding may be counted.
	valid: func(n int) bool { return n == 43 || n == 44 },
	random: func(r *rand.Rand) initAck {
		cookie := randomBytes(r, 1, 300)
		return initAck{withCookie(randomInit(r), cookie), cookie}
	},
}

func TestInitAck(t *testing.T) { initAckCodec.test(t) }
func FuzzInitAck(f *testing.F) { initAckCodec.fuzz(f) }

// RFC 9260, section 3.3.3: the State Cookie is mandatory.
func TestInitAckWithoutCookie(t *testing.T) {
	for _, c := range []struct {
		params string
		want   *Error
		cause  CauseCode
	}{
		{"", ErrNoCookie, CauseMissingMandatoryParameter},
		{"c000 0004", ErrNoCookie, CauseMissingMandatoryParameter},
		{"0007 0004", ErrEmptyCookie, CauseInvalidMandatoryParameter},
		// RFC 9260, section 3.2.1: nothing counts after an unknown parameter
		// that says to stop, unlike after one that says to skip.
		{"3fff 0004 0007 0005 01", ErrNoCookie, CauseMissingMandatoryParameter},
		{"7fff 0004 0007 0005 01", ErrNoCookie, CauseMissingMandatoryParameter},
		{"bfff 0004 0007 0005 01", nil, 0},
		{"ffff 0004 0007 0005 01", nil, 0},
	} {
		init := someInit
		init.Params = unhex(t, c.params)
		chunk, err := ParseChunk(AppendInitAck(nil, &init))
		assert.NoError(t, err)
		got, cookie, err := ParseInitAck(chunk)
		assert.Equal(t, init.Tag, got.Tag)
		if c.want == nil {
			assert.NoError(t, err, c.params)
			assert.Equal(t, []byte{1}, cookie)
			continue
		}
		assert.ErrorIs(t, err, c.want, c.params)
		assert.Equal(t, c.cause, c.want.Cause)
		assert.Nil(t, cookie)
	}
}

// RFC 9260, section 3.3.11: a COOKIE ECHO chunk is a State Cookie parameter
// with the first two bytes changed.
func TestCookieIsEchoedAsItCame(t *testing.T) {
	_, cookie, err := ParseInitAck(chunkOf(t, TypeInitAck, unhex(t, initAckCodec.bytes)[4:42]))
	assert.NoError(t, err)
	param := Params{}.AppendStateCookie(cookie)
	echo := AppendCookieEcho(nil, cookie)
	assert.Equal(t, []byte(param[2:]), echo[2:len(param)])
}
