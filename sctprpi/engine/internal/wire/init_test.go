package wire

import (
	"math"
	"math/rand/v2"
	"net/netip"
	"testing"

	"github.com/stretchr/testify/assert"
)

var someInit = Init{
	Tag: 0x0a0b0c0d, Window: 65536, OutStreams: 1024, InStreams: 2048, TSN: 0x01020304,
	Params: Params{}.AppendAddress(netip.MustParseAddr("127.0.0.1")).AppendForwardTSNSupported(),
}

// Its two parameters are 8 and 4 bytes long, from byte 20 on.
const someInitBytes = "01 00 0020 0a0b0c0d 00010000 0400 0800 01020304 0005 0008 7f000001 c000 0004"

func randomInit(r *rand.Rand) Init {
	return Init{
		Tag: VerificationTag(1 + r.Uint32N(math.MaxUint32)), Window: MinWindow + r.Uint32N(1<<30),
		OutStreams: uint16(1 + r.IntN(1<<16-1)), InStreams: uint16(1 + r.IntN(1<<16-1)),
		TSN: TSN(r.Uint32()), Params: randomParams(r),
	}
}

var initCodec = codec[Init]{
	parse:  ParseInit,
	append: func(b []byte, i Init) []byte { return AppendInit(b, &i) },
	bytes:  someInitBytes,
	value:  someInit,
	valid:  func(n int) bool { return n == 20 || n == 28 },
	random: randomInit,
}

func TestInit(t *testing.T) { initCodec.test(t) }
func FuzzInit(f *testing.F) { initCodec.fuzz(f) }

// RFC 9260, section 3.3.2. The answer needs the tag, so that is returned even
// so.
func TestInitWithInvalidMandatoryFields(t *testing.T) {
	for _, c := range []struct {
		spoil func(*Init)
		want  error
	}{
		{func(i *Init) { i.Tag = 0 }, ErrZeroInitiateTag},
		{func(i *Init) { i.Window = MinWindow - 1 }, ErrSmallWindow},
		{func(i *Init) { i.OutStreams = 0 }, ErrNoStreams},
		{func(i *Init) { i.InStreams = 0 }, ErrNoStreams},
		{func(i *Init) { i.Params = i.Params[:len(i.Params)-1] }, errParamLength},
	} {
		init := someInit
		c.spoil(&init)
		chunk, err := ParseChunk(AppendInit(nil, &init))
		assert.NoError(t, err)
		got, err := ParseInit(chunk)
		assert.ErrorIs(t, err, c.want)
		init.Params = nil
		assert.Equal(t, init, got)
	}
	assert.Equal(t, CauseInvalidMandatoryParameter, ErrNoStreams.Cause)
}

// A parameter of length 0 must be met once, not for ever.
func TestInitWithZeroLengthParameterIsMalformed(t *testing.T) {
	for _, length := range []byte{0, 1, 2, 3} {
		init := someInit
		init.Params = Params{0x80, 0x05, 0, length, 0, 0, 0, 0}
		c, err := ParseChunk(AppendInit(nil, &init))
		assert.NoError(t, err)
		_, err = ParseInit(c)
		assert.ErrorIs(t, err, errParamLength)

		c, err = ParseChunk(AppendInitAck(nil, &init))
		assert.NoError(t, err)
		_, _, err = ParseInitAck(c)
		assert.ErrorIs(t, err, errParamLength)
	}
}

// RFC 9260, section 3.2: the final padding may be counted in the chunk length.
func TestInitWhoseLengthCountsTheFinalPadding(t *testing.T) {
	init := someInit
	init.Params = append(init.Params.AppendStateCookie([]byte("abcde")), 0, 0, 0)
	c, err := ParseChunk(AppendInitAck(nil, &init))
	assert.NoError(t, err)
	_, cookie, err := ParseInitAck(c)
	assert.NoError(t, err)
	assert.Equal(t, []byte("abcde"), cookie)
}
