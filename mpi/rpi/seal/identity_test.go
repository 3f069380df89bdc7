package seal

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWhatIsPublishedIsReadBack(t *testing.T) {
	s := NewSecret(token, "test/1")
	for _, i := range []Identity{{NewID(), Auto, true}, {NewID(), Off, false}, {NewID(), AlwaysAuth, true}, {NewID(), AlwaysEncrypt, true}} {
		text := i.Publish(s, "192.0.2.1:7000/7000")
		address, got, ok, err := Read(s, text)
		require.NoError(t, err)
		assert.True(t, ok)
		assert.Equal(t, i, got)
		assert.Equal(t, "192.0.2.1:7000/7000", address)
		assert.NotContains(t, text, ";")
		assert.Less(t, len(text), 120)
	}
	address, _, ok, err := Read(s, "192.0.2.1:7000/9899")
	require.NoError(t, err)
	assert.False(t, ok)
	assert.Equal(t, "192.0.2.1:7000/9899", address)
}

// TestWhatIsPublishedCannotBeChanged without the token: no letter of it, the address included.
func TestWhatIsPublishedCannotBeChanged(t *testing.T) {
	s := NewSecret(token, "test/1")
	text := Identity{NewID(), AlwaysEncrypt, true}.Publish(s, "192.0.2.1:7000/7000")
	for i := range text {
		changed := []byte(text)
		changed[i] ^= 1
		if strings.Count(string(changed), identityMark) != 1 {
			continue
		}
		_, _, _, err := Read(s, string(changed))
		assert.Error(t, err, "%s", changed)
	}
	_, _, _, err := Read(NewSecret(token[1:], "test/1"), text)
	assert.ErrorIs(t, err, ErrToken)
	_, _, _, err = Read(s, "192.0.2.1:7000/7000#2.something.else")
	assert.ErrorIs(t, err, ErrIdentity)
}

// TestPolicies: what each of them makes of a peer, and takes from it.
func TestPolicies(t *testing.T) {
	for value, want := range map[string]struct {
		policy        Policy
		mode          Mode
		auth, encrypt bool
	}{
		"":     {Auto, Encrypt, false, true},
		"auth": {AlwaysAuth, Auth, true, false},
		"on":   {AlwaysEncrypt, Encrypt, false, true},
	} {
		p, err := ParsePolicy(value)
		require.NoError(t, err)
		assert.Equal(t, want.policy, p)
		assert.Equal(t, want.mode, p.Mode())
		assert.Equal(t, want.auth, p.Allows(Auth))
		assert.Equal(t, want.encrypt, p.Allows(Encrypt))
		assert.NoError(t, p.Agree(p))
	}
	off, err := ParsePolicy("off")
	require.NoError(t, err)
	assert.Equal(t, Off, off)
	assert.EqualError(t, AlwaysEncrypt.Agree(off),
		"it has SCTPMPI_ENCRYPT=off and this process SCTPMPI_ENCRYPT=on: set SCTPMPI_ENCRYPT alike in all processes of a job")
	assert.ErrorContains(t, off.Agree(Auto), "it has no SCTPMPI_ENCRYPT and")
	for _, value := range []string{"auto", "yes", "ON", "1"} {
		_, err := ParsePolicy(value)
		assert.ErrorIs(t, err, ErrPolicy)
	}
}

// TestSuiteIsAESWhereBothHaveIt.
func TestSuiteIsAESWhereBothHaveIt(t *testing.T) {
	with, without := Identity{AES: true}, Identity{}
	assert.Equal(t, AES128GCM, SuiteFor(with, with))
	for _, pair := range [][2]Identity{{with, without}, {without, with}, {without, without}} {
		assert.Equal(t, ChaCha20Poly1305, SuiteFor(pair[0], pair[1]))
	}
}

func FuzzRead(f *testing.F) {
	s := NewSecret(token, "test/1")
	f.Add(Identity{ID{1}, Auto, true}.Publish(s, "192.0.2.1:7000/7000"))
	f.Add("192.0.2.1:7000/7000#1.on.aes.00.AA")
	f.Fuzz(func(t *testing.T, text string) {
		address, i, ok, err := Read(s, text)
		if ok && err == nil {
			require.Equal(t, text, i.Publish(s, address))
		}
	})
}
