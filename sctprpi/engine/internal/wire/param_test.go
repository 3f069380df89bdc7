package wire

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// paramOf returns the only parameter of a list in hexadecimal.
func paramOf(t testing.TB, digits string) Param {
	params := slices.Collect(Params(unhex(t, digits)).All())
	require.Len(t, params, 1)
	return params[0]
}

// reencodeParams decodes each parameter by its type and encodes its meaning;
// one that cannot be decoded is left as it is.
func reencodeParams(from Params) Params {
	to := Params{}
	for p := range from.All() {
		to = reencodeParam(to, p)
	}
	return to
}

func reencodeParam(to Params, p Param) Params {
	switch p.Type {
	case ParamIPv4Address, ParamIPv6Address:
		if a, err := p.Address(); err == nil {
			return to.AppendAddress(a)
		}
	case ParamStateCookie:
		return to.AppendStateCookie(p.Value())
	case ParamUnrecognized:
		if inner, err := p.Unrecognized(); err == nil {
			return to.AppendUnrecognized(inner)
		}
	case ParamCookiePreservative:
		if increment, err := p.CookiePreservative(); err == nil {
			return to.AppendCookiePreservative(increment)
		}
	case ParamSupportedAddressTypes:
		if types, err := p.SupportedAddressTypes(); err == nil {
			return to.AppendSupportedAddressTypes(NumbersOf(slices.Collect(types.All())...))
		}
	case ParamForwardTSNSupported:
		return to.AppendForwardTSNSupported()
	case ParamZeroChecksumAcceptable:
		if method, err := p.ZeroChecksumAcceptable(); err == nil {
			return to.AppendZeroChecksumAcceptable(method)
		}
	case ParamSupportedExtensions:
		return to.AppendSupportedExtensions(NumbersOf(slices.Collect(p.SupportedExtensions().All())...))
	}
	return to.Append(p)
}

// randomParams returns a list of parameters, none of which is a state cookie
// or stops a receiver.
func randomParams(r *rand.Rand) Params {
	l := Params{}
	for range r.IntN(6) {
		l = appendRandomParam(l, r)
	}
	return l
}

func appendRandomParam(l Params, r *rand.Rand) Params {
	switch r.IntN(7) {
	case 0:
		return l.AppendAddress(randomAddr(r))
	case 1:
		return l.AppendSupportedAddressTypes(NumbersOf(ParamIPv6Address, ParamIPv4Address))
	case 2:
		return l.AppendSupportedExtensions(randomBytes(r, 0, 9))
	case 3:
		return l.AppendForwardTSNSupported()
	case 4:
		return l.AppendZeroChecksumAcceptable(ErrorDetectionMethod(r.Uint32()))
	case 5:
		return l.AppendPadding(4 + 4*r.IntN(10))
	default:
		return l.append(randomUnknown(r), randomBytes(r, 0, 20))
	}
}

// randomUnknown is a type of parameter that this package does not know, and that is to be skipped (RFC 9260, section 3.2.1).
func randomUnknown(r *rand.Rand) ParamType {
	for {
		if t := ParamType(0x8000 | r.Uint32()); !t.known() {
			return t
		}
	}
}

func TestParametersArePaddedButForTheLast(t *testing.T) {
	l := Params{}.AppendStateCookie([]byte{1}).AppendStateCookie([]byte{2, 3})
	assert.Equal(t, Params(unhex(t, "0007 0005 01 000000 0007 0006 0203")), l)
	values := [][]byte{}
	for p := range l.All() {
		values = append(values, p.Value())
	}
	assert.Equal(t, [][]byte{{1}, {2, 3}}, values)
	for p := range l.All() {
		assert.Equal(t, unhex(t, "0007 0005 01"), p.Bytes())
		break
	}
}

// What is checked and what is walked end at the same byte: of a list that is
// well formed the walk leaves nothing, of any other it stops short.
func TestWalkAndCheckAgreeOnWhereAListEnds(t *testing.T) {
	r := newRand(t)
	for range 20000 {
		l := Params(randomBytes(r, 0, 40))
		for i := range l { // small lengths, so that lists have a chance
			if i%4 == 2 {
				l[i] = 0
			} else if i%4 == 3 {
				l[i] &= 0x0f
			}
		}
		size := 0
		for p := range l.All() {
			require.Equal(t, []byte(l[size:size+len(p.Bytes())]), p.Bytes())
			size = min(size+PaddedLen(len(p.Bytes())), len(l))
		}
		require.Equal(t, wellFormed(l), size == len(l), "%x", []byte(l))
	}
}

func TestParametersSurviveARoundTrip(t *testing.T) {
	r := newRand(t)
	for range 1000 {
		l := randomParams(r)
		require.True(t, wellFormed(l))
		require.Equal(t, l, reencodeParams(l))
	}
}

// Encoding what was decoded changes nothing more the second time, whatever the
// parameters were; decoding one as any other type does not panic.
func FuzzParams(f *testing.F) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		f.Add([]byte(randomParams(r)))
	}
	for _, p := range linuxPackets(f) {
		f.Add(p.bytes[min(32, len(p.bytes)):])
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if !wellFormed(b) {
			return
		}
		for p := range Params(b).All() {
			raw := bytes.Clone(p.Bytes())
			for known := range paramNames {
				reencodeParam(nil, Param{Type: known, raw: p.raw})
			}
			require.Equal(t, raw, p.Bytes(), "views are not written to")
		}
		once := reencodeParams(b)
		require.True(t, wellFormed(once))
		require.Equal(t, once, reencodeParams(once))
	})
}
