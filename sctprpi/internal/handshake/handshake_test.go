package handshake

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi/seal"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/record"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// terms are those of rank 1 and of rank 2 of a job of three.
func terms() (one, two Terms) {
	one = Terms{Protocol: "test/1", Rank: 1, Size: 3, Setting: 7, SettingName: "SCTPMPI_TEST", Token: []byte("the job's secret")}
	two = one
	two.Rank = 2
	one.ID, two.ID = seal.NewID(), seal.NewID()
	return one, two
}

func pairOfHellos() (a, b *Hello) {
	one, two := terms()
	return one.Hello(2, two.ID), two.Hello(1, one.ID)
}

func TestHelloIsDecodedBack(t *testing.T) {
	a, _ := pairOfHellos()
	require.Len(t, a.Encode(), helloSize)
	got, err := Decode(a.Encode())
	require.NoError(t, err)
	assert.Equal(t, a, got)
}

// A rank of another job may have the same number, and the same token, and be at the address. It is another process.
func TestAHelloIsForOneProcess(t *testing.T) {
	one, two := terms()
	require.NoError(t, two.Check(one.Hello(2, two.ID)))
	require.ErrorIs(t, two.Check(one.Hello(2, seal.NewID())), errOther)
	require.ErrorIs(t, two.Check(one.Hello(2, seal.ID{})), errOther)
}

// TestAProofIsInvalidElsewhere: a proof is not valid for the other end, for another
// association, or with another token.
func TestAProofIsInvalidElsewhere(t *testing.T) {
	a, b := pairOfHellos()
	other, _ := pairOfHellos()
	one, two := terms()
	_, good, err := one.Prove(a, b)
	require.NoError(t, err)
	verify := func(peers, own *Hello) error {
		p, _, err := two.Prove(own, peers)
		require.NoError(t, err)
		_, _, err = p.Verify(good)
		return err
	}
	assert.NoError(t, verify(a, b))
	assert.ErrorIs(t, verify(b, a), errToken)
	assert.ErrorIs(t, verify(other, b), errToken)
	for _, token := range []string{"guess", ""} {
		two.Token = []byte(token)
		assert.ErrorIs(t, verify(a, b), errToken)
	}
}

// sealing makes the messages of two processes sealed.
func sealing(one, two *Terms) {
	one.Sealing = &Sealing{Policy: seal.Auto, AES: true}
	two.Sealing = &Sealing{Policy: seal.Auto, AES: true}
}

// Where messages are sealed the proof results in keys, which both ends have and no other association has.
func TestAProofMakesKeys(t *testing.T) {
	one, two := terms()
	sealing(&one, &two)
	prove := func(a, b *Hello) (ours, theirs *record.Cipher) {
		first, message, err := one.Prove(a, b)
		require.NoError(t, err)
		second, none, err := two.Prove(b, a)
		require.NoError(t, err)
		require.Nil(t, none, "the higher rank answers")
		answer, theirs, err := second.Verify(message)
		require.NoError(t, err)
		none, ours, err = first.Verify(answer)
		require.NoError(t, err)
		require.Nil(t, none)
		return ours, theirs
	}
	a, b := one.Hello(2, two.ID), two.Hello(1, one.ID)
	ours, theirs := prove(a, b)
	assert.True(t, fit(ours, theirs))
	assert.True(t, fit(theirs, ours))
	again, _ := prove(a, b)
	assert.False(t, fit(again, theirs), "with the same hellos")
}

// wire is a socket that takes one message.
type wire struct {
	socket.Endpoint
	taken []byte
}

func (w *wire) Send(_ socket.AssocID, messages []socket.Message) (int, error) {
	w.taken = bytes.Clone(messages[0].Data[0])
	return 1, nil
}

// fit reports whether one Cipher opens what the other one seals.
func fit(sends, opens *record.Cipher) bool {
	var w wire
	if _, err := sends.Send(&w, 1, []socket.Message{{Data: [][]byte{[]byte("text")}}}); err != nil {
		return false
	}
	e := socket.Event{Begin: true, End: true, Payload: w.taken}
	return opens.Open(&e) == nil && string(e.Payload) == "text"
}

// A proof with sealing is bound to both hellos, to the token and to its place.
func TestASealedProofIsInvalidElsewhere(t *testing.T) {
	for name, vary := range map[string]func(two *Terms, a, b *Hello, message []byte){
		"another hello of the sender":   func(_ *Terms, a, _ *Hello, _ []byte) { a.setting++ },
		"another hello of the receiver": func(_ *Terms, _, b *Hello, _ []byte) { b.nonce[0]++ },
		"another token":                 func(two *Terms, _, _ *Hello, _ []byte) { two.Token = []byte("guess") },
		"a changed message":             func(_ *Terms, _, _ *Hello, message []byte) { message[40]++ },
		"sealing turned off for one":    func(_ *Terms, a, _ *Hello, _ []byte) { a.policy = seal.Off },
	} {
		t.Run(name, func(t *testing.T) {
			one, two := terms()
			sealing(&one, &two)
			a, b := one.Hello(2, two.ID), two.Hello(1, one.ID)
			_, message, err := one.Prove(a, b)
			require.NoError(t, err)
			vary(&two, a, b, message)
			p, _, err := two.Prove(b, a)
			require.NoError(t, err)
			_, _, err = p.Verify(message)
			require.ErrorIs(t, err, errToken)
		})
	}
}

// TestMismatchNamesTheDifference, so that the user knows what to set.
func TestMismatchNamesTheDifference(t *testing.T) {
	for want, vary := range map[string]func(t *Terms){
		`its transport speaks "other/1" and that of this rank "test/1": set SCTPMPI_TRANSPORT alike`: func(t *Terms) { t.Protocol = "other/1" },
		"another byte order, job size or SCTPMPI_TEST":                                               func(t *Terms) { t.Setting++ },
		"job size":                  func(t *Terms) { t.Size++ },
		"set SCTPMPI_ENCRYPT alike": func(t *Terms) { t.Sealing = &Sealing{Policy: seal.AlwaysEncrypt} },
	} {
		one, two := terms()
		require.True(t, two.Fits(one.Hello(2, two.ID)))
		vary(&one)
		require.False(t, two.Fits(one.Hello(2, two.ID)))
		assert.ErrorContains(t, two.Mismatch(one.Hello(2, two.ID)), want)
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
