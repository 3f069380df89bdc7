package wire

import (
	"math/rand/v2"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// causeOf returns the only cause of a list in hexadecimal.
func causeOf(t testing.TB, digits string) Cause {
	causes := slices.Collect(Causes(unhex(t, digits)).All())
	require.Len(t, causes, 1)
	return causes[0]
}

// reencodeCauses decodes each cause by its code and encodes its meaning; one
// that cannot be decoded is left as it is.
func reencodeCauses(from Causes) Causes {
	to := Causes{}
	for c := range from.All() {
		to = reencodeCause(to, c)
	}
	return to
}

func reencodeCause(to Causes, c Cause) Causes {
	switch c.Code {
	case CauseInvalidStream:
		if id, err := c.InvalidStream(); err == nil {
			return to.AppendInvalidStream(id)
		}
	case CauseMissingMandatoryParameter:
		if types, err := c.MissingMandatoryParameter(); err == nil {
			return to.AppendMissingMandatoryParameter(types)
		}
	case CauseStaleCookie:
		if staleness, err := c.StaleCookie(); err == nil {
			return to.AppendStaleCookie(staleness)
		}
	case CauseNoUserData:
		if tsn, err := c.NoUserData(); err == nil {
			return to.AppendNoUserData(tsn)
		}
	case CauseUnrecognizedParameters:
		if params, err := c.Params(); err == nil {
			return to.AppendUnrecognizedParameters(params)
		}
	case CauseRestartWithNewAddresses:
		if params, err := c.Params(); err == nil {
			return to.AppendRestartWithNewAddresses(params)
		}
	case CauseUserAbort:
		return to.AppendUserAbort(c.Info())
	case CauseProtocolViolation:
		return to.AppendProtocolViolation(string(c.Info()))
	}
	return to.append(c.Code, c.Info())
}

func randomCauses(r *rand.Rand) Causes {
	l := Causes{}
	for range r.IntN(6) {
		switch r.IntN(8) {
		case 0:
			l = l.AppendInvalidStream(socket.StreamID(r.Uint32()))
		case 1:
			types := randomBytes(r, 0, 5)
			l = l.AppendMissingMandatoryParameter(append(types, types...))
		case 2:
			l = l.AppendStaleCookie(time.Duration(r.Uint32()) * time.Microsecond)
		case 3:
			l = l.AppendNoUserData(randomTSN(r))
		case 4:
			l = l.AppendUnrecognizedParameters(randomParams(r))
		case 5:
			l = l.AppendUserAbort(randomBytes(r, 0, 20))
		case 6:
			l = l.AppendProtocolViolation(string(randomBytes(r, 0, 20)))
		default:
			l = l.append(CauseCode(r.Uint32()), randomBytes(r, 0, 20))
		}
	}
	return l
}

// RFC 9260, section 3.3.10.
func TestCausesHaveTheFormOfTheRFC(t *testing.T) {
	hostName := paramOf(t, "000b 0008 41424300")
	unknown, err := ParseChunk(unhex(t, "7e 05 0007 010203 00"))
	require.NoError(t, err)
	for _, c := range []struct {
		bytes string
		cause Causes
	}{
		{"0001 0008 1234 0000", Causes{}.AppendInvalidStream(0x1234)},
		{"0002 000a 00000001 0007", Causes{}.AppendMissingMandatoryParameter(NumbersOf(ParamStateCookie))},
		{"0003 0008 000003e8", Causes{}.AppendStaleCookie(time.Millisecond)},
		{"0004 0004", Causes{}.AppendOutOfResource()},
		{"0005 000c 000b 0008 41424300", Causes{}.AppendUnresolvableAddress(hostName)},
		{"0006 000b 7e 05 0007 010203", Causes{}.AppendUnrecognizedChunk(unknown)},
		{"0007 0004", Causes{}.AppendInvalidMandatoryParameter()},
		{"0008 000c 000b 0008 41424300", Causes{}.AppendUnrecognizedParameters(Params{}.Append(hostName))},
		{"0009 0008 01020304", Causes{}.AppendNoUserData(0x01020304)},
		{"000a 0004", Causes{}.AppendCookieWhileShuttingDown()},
		{
			"000b 000c 0005 0008 c0000201",
			Causes{}.AppendRestartWithNewAddresses(Params{}.AppendAddress(netip.MustParseAddr("192.0.2.1"))),
		},
		{"000c 0007 627965", Causes{}.AppendUserAbort([]byte("bye"))},
		{"000d 0007 777479", Causes{}.AppendProtocolViolation("wty")},
	} {
		assert.Equal(t, Causes(unhex(t, c.bytes)), c.cause, c.bytes)
		assert.Equal(t, c.cause, reencodeCauses(c.cause), c.bytes)
	}
	assert.Equal(t, CauseCode(13), CauseProtocolViolation)
}

func TestCausesAreDecoded(t *testing.T) {
	id, err := causeOf(t, "0001 0008 1234 ffff").InvalidStream()
	assert.NoError(t, err)
	assert.Equal(t, socket.StreamID(0x1234), id, "the reserved half is ignored")
	missing, err := causeOf(t, "0002 000c 00000002 0007 0005").MissingMandatoryParameter()
	assert.NoError(t, err)
	assert.Equal(t, []ParamType{ParamStateCookie, ParamIPv4Address}, slices.Collect(missing.All()))
	staleness, err := causeOf(t, "0003 0008 000003e8").StaleCookie()
	assert.NoError(t, err)
	assert.Equal(t, time.Millisecond, staleness)
	tsn, err := causeOf(t, "0009 0008 01020304").NoUserData()
	assert.NoError(t, err)
	assert.Equal(t, TSN(0x01020304), tsn)
	params, err := causeOf(t, "0008 000c ff01 0004 ff02 0004").Params()
	assert.NoError(t, err)
	assert.Len(t, slices.Collect(params.All()), 2)
	assert.Equal(t, []byte("bye"), causeOf(t, "000c 0007 627965").Info())
	for c := range (Causes(unhex(t, "0004 0004 0007 0004"))).All() {
		assert.Equal(t, CauseOutOfResource, c.Code)
		break
	}
}

// RFC 9260, section 3.3.10.3: microseconds, rounded up.
func TestStalenessIsRoundedUp(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "00000000", 1: "00000001", time.Microsecond: "00000001", time.Microsecond + 1: "00000002",
		-time.Second: "00000000", 2 * time.Hour: "ffffffff",
	} {
		assert.Equal(t, Causes(unhex(t, "0003 0008"+want)), Causes{}.AppendStaleCookie(d), "%v", d)
	}
}

func TestMalformedCauses(t *testing.T) {
	for _, digits := range []string{
		"0001 0004", "0001 0007 000000", "0001 0009 0000000000",
		"0002 0004", "0002 0007 000000", "0002 0009 00000000 00", "0002 000a 00000000 0007",
		"0002 0008 00000001", "0002 000a 80000001 0007", "0002 000b 00000001 0007 00",
		"0003 0004", "0003 0009 0000000000", "0009 0004", "0009 0006 0000",
		"0008 0006 ff01", "0008 0008 ff01 0000", "000b 0008 0005 0008",
	} {
		c := causeOf(t, digits)
		var err error
		switch c.Code {
		case CauseInvalidStream:
			_, err = c.InvalidStream()
		case CauseMissingMandatoryParameter:
			_, err = c.MissingMandatoryParameter()
		case CauseStaleCookie:
			_, err = c.StaleCookie()
		case CauseNoUserData:
			_, err = c.NoUserData()
		default:
			_, err = c.Params()
		}
		assert.ErrorAs(t, err, new(*Error), digits)
	}
}

// Encoding what was decoded changes nothing more the second time, whatever the
// causes were.
func FuzzCauses(f *testing.F) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		f.Add([]byte(randomCauses(r)))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if !wellFormed(b) {
			return
		}
		for c := range Causes(b).All() {
			for code := range causeEnd {
				reencodeCause(nil, Cause{Code: code, raw: c.raw})
			}
		}
		once := reencodeCauses(b)
		require.True(t, wellFormed(once))
		require.Equal(t, once, reencodeCauses(once))
	})
}
