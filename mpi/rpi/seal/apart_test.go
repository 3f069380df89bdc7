package seal

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// recordApart seals a payload of ApartSize bytes at least in two parts, the second of which lies elsewhere.
func recordApart(t testing.TB, s *Sealer, payload string) []byte {
	t.Helper()
	b := append(append([]byte("head"), make([]byte, CounterSize)...), payload[:ApartSize]...)
	rest := []byte(payload[ApartSize:])
	b, err := s.SealApart(b, header, rest)
	require.NoError(t, err)
	require.Len(t, b, header+len(payload)+TagSize)
	require.Equal(t, payload[ApartSize:], string(rest), "it is only read")
	return b
}

// long is a payload of n bytes, of which any 16 can be told from others.
func long(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i + i/251)
	}
	return string(b)
}

// TestRecordsInTwoPartsOpenOnce, whatever the length of the second part, among others, and nothing of either part can be read.
func TestRecordsInTwoPartsOpenOnce(t *testing.T) {
	s := NewSecret(token, "test/1")
	for _, way := range ways {
		sealer, opener := s.Sealer(way), s.Opener(way)
		for _, n := range []int{0, 1, 15, 16, 17, 1000, 65_000} {
			text := long(ApartSize + n)
			r := recordApart(t, sealer, text)
			for i := 0; i+16 <= len(text); i += 16 {
				require.Equal(t, way.Mode == Auth, bytes.Contains(r, []byte(text[i:i+16])))
			}
			again := bytes.Clone(r)
			payload, err := opener.OpenApart(r, header)
			require.NoError(t, err)
			require.Equal(t, text, string(payload))
			_, err = opener.OpenApart(again, header)
			require.ErrorIs(t, err, ErrReplayed)
			payload, err = opener.Open(record(t, sealer, "between them"), header)
			require.NoError(t, err)
			assert.Equal(t, "between them", string(payload))
		}
	}
}

// TestEachBitOfBothPartsCounts.
func TestEachBitOfBothPartsCounts(t *testing.T) {
	s := NewSecret(token, "test/1")
	for _, way := range ways {
		r, opener := recordApart(t, s.Sealer(way), long(ApartSize+20)), s.Opener(way)
		for bit := range 8 * len(r) {
			forged := bytes.Clone(r)
			forged[bit/8] ^= 1 << (bit % 8)
			_, err := opener.OpenApart(forged, header)
			assert.Condition(t, func() bool { return err == ErrForged || err == ErrSpent }, "bit %d: %v", bit, err)
		}
		for n := range r {
			_, err := opener.OpenApart(bytes.Clone(r[:n]), header)
			require.Error(t, err)
		}
		_, err := opener.OpenApart(append(bytes.Clone(r), 0), header)
		require.ErrorIs(t, err, ErrForged)
		_, err = opener.OpenApart(r, header)
		require.NoError(t, err)
	}
}

// TestPartsHaveNoncesOfTheirOwn: under one key, so that no two parts of records have the same key stream. What is encrypted
// here is zeros, so what is sent is the key stream.
func TestPartsHaveNoncesOfTheirOwn(t *testing.T) {
	s := NewSecret(token, "test/1")
	for _, way := range ways {
		if way.Mode == Auth {
			continue
		}
		seen := make(map[string]bool)
		sealer := s.Sealer(way)
		streams := func(r []byte) {
			for b := r[header : len(r)-TagSize]; len(b) >= 16; b = b[16:] {
				require.False(t, seen[string(b[:16])])
				seen[string(b[:16])] = true
			}
		}
		for range 100 {
			streams(recordApart(t, sealer, string(make([]byte, 3*ApartSize))))
			streams(record(t, sealer, string(make([]byte, 3*ApartSize))))
		}
	}
}

// TestRecordsInTwoPartsAreNoOthers: neither passes for one that was sealed in the other way, in mode Encrypt.
func TestRecordsInTwoPartsAreNoOthers(t *testing.T) {
	s := NewSecret(token, "test/1")
	for _, way := range ways {
		if way.Mode == Auth {
			continue
		}
		_, err := s.Opener(way).Open(recordApart(t, s.Sealer(way), long(1000)), header)
		assert.ErrorIs(t, err, ErrForged)
		_, err = s.Opener(way).OpenApart(record(t, s.Sealer(way), long(1000)), header)
		assert.ErrorIs(t, err, ErrForged)
	}
}

func TestRecordsInTwoPartsAllocateNothing(t *testing.T) {
	s := NewSecret(token, "test/1")
	b, rest := make([]byte, header+ApartSize, header+ApartSize+1000+TagSize), make([]byte, 1000)
	for _, way := range ways {
		sealer, opener := s.Sealer(way), s.Opener(way)
		assert.Zero(t, testing.AllocsPerRun(100, func() {
			r, err := sealer.SealApart(b, header, rest)
			if err == nil {
				_, err = opener.OpenApart(r, header)
			}
			if err != nil {
				t.Fatal(err)
			}
		}))
	}
}
