package handshake

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// terms are those of rank 1 and of rank 2 of a job of three.
func terms() (one, two Terms) {
	one = Terms{Protocol: "test/1", Rank: 1, Size: 3, Setting: 7, SettingName: "SCTPMPI_TEST", Token: []byte("the job's secret")}
	two = one
	two.Rank = 2
	return one, two
}

func pairOfHellos() (a, b *Hello) {
	one, two := terms()
	return one.Hello(2), two.Hello(1)
}

func TestHelloIsDecodedBack(t *testing.T) {
	a, _ := pairOfHellos()
	require.Len(t, a.Encode(), helloSize)
	got, err := Decode(a.Encode())
	require.NoError(t, err)
	assert.Equal(t, a, got)
}

// TestAProofIsInvalidElsewhere: a proof is not valid for the other end, for another
// association, or with another token.
func TestAProofIsInvalidElsewhere(t *testing.T) {
	a, b := pairOfHellos()
	other, _ := pairOfHellos()
	one, two := terms()
	good := one.Prove(a, b)
	assert.Equal(t, good, one.Prove(a, b))
	assert.NoError(t, two.Verify(good, a, b))
	assert.ErrorIs(t, two.Verify(good, b, a), errToken)
	assert.ErrorIs(t, two.Verify(good, other, b), errToken)
	for _, token := range []string{"guess", ""} {
		two.Token = []byte(token)
		assert.ErrorIs(t, two.Verify(good, a, b), errToken)
	}
}

// TestMismatchNamesTheDifference, so that the user knows what to set.
func TestMismatchNamesTheDifference(t *testing.T) {
	for want, vary := range map[string]func(t *Terms){
		`its transport speaks "other/1" and that of this rank "test/1": set SCTPMPI_TRANSPORT alike`: func(t *Terms) { t.Protocol = "other/1" },
		"another byte order, job size or SCTPMPI_TEST":                                               func(t *Terms) { t.Setting++ },
		"job size": func(t *Terms) { t.Size++ },
	} {
		one, two := terms()
		require.True(t, two.Fits(one.Hello(2)))
		vary(&one)
		require.False(t, two.Fits(one.Hello(2)))
		assert.ErrorContains(t, two.Mismatch(one.Hello(2)), want)
	}
}

func FuzzHello(f *testing.F) {
	a, _ := pairOfHellos()
	f.Add(a.Encode())
	f.Add(a.Encode()[1:])
	f.Fuzz(func(t *testing.T, b []byte) {
		if h, err := Decode(b); err == nil {
			again, err := Decode(h.Encode())
			require.NoError(t, err)
			require.Equal(t, h, again)
			_, two := terms()
			_ = two.Check(h)
			_ = two.Mismatch(h).Error()
		}
	})
}
