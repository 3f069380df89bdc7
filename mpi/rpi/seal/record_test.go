package seal

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"os"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const header = 4 + CounterSize

func terms(m Mode, s Suite) Terms { return Terms{From: ID{1}, To: ID{2}, Epoch: 3, Mode: m, Suite: s} }

// ways are all ways to protect records.
var ways = []Terms{
	terms(Auth, AES128GCM), terms(Encrypt, AES128GCM), terms(Auth, ChaCha20Poly1305), terms(Encrypt, ChaCha20Poly1305),
}

// record seals a payload behind a header.
func record(t *testing.T, s *Sealer, payload string) []byte {
	t.Helper()
	b, err := s.Seal(append(append([]byte("head"), make([]byte, CounterSize)...), payload...), header)
	require.NoError(t, err)
	require.Len(t, b, header+len(payload)+TagSize)
	return b
}

// TestVectors compares keys and records with vectors that another program has computed: testdata/vectors.py.
func TestVectors(t *testing.T) {
	text, err := os.ReadFile("testdata/vectors.json")
	require.NoError(t, err)
	var vectors []struct {
		Token, From, To, Payload hexBytes
		Protocol                 string
		Epoch, Counter           uint64
		Mode                     Mode
		Suite                    Suite
		Record                   hexBytes
	}
	require.NoError(t, json.Unmarshal(text, &vectors))
	require.NotEmpty(t, vectors)
	for _, v := range vectors {
		terms := Terms{ID(v.From), ID(v.To), v.Epoch, v.Mode, v.Suite}
		s := NewSecret(v.Token, v.Protocol)
		sealer := s.Sealer(terms)
		sealer.next = v.Counter
		assert.Equal(t, []byte(v.Record), record(t, sealer, string(v.Payload)))
		payload, err := s.Opener(terms).Open(bytes.Clone(v.Record), header)
		require.NoError(t, err)
		assert.Equal(t, []byte(v.Payload), payload)
	}
}

// TestRecordsOpenOnceInAnyOrder, and their payload is readable only in mode Auth.
func TestRecordsOpenOnceInAnyOrder(t *testing.T) {
	s := NewSecret(token, "test/1")
	for _, way := range ways {
		sealer, opener := s.Sealer(way), s.Opener(way)
		var records [][]byte
		for range 100 {
			records = append(records, record(t, sealer, "a known payload"))
		}
		slices.Reverse(records)
		for _, r := range records {
			assert.Equal(t, way.Mode == Auth, bytes.Contains(r, []byte("known")))
			again := bytes.Clone(r)
			payload, err := opener.Open(r, header)
			require.NoError(t, err)
			assert.Equal(t, "a known payload", string(payload))
			_, err = opener.Open(again, header)
			require.ErrorIs(t, err, ErrReplayed)
		}
		empty, err := opener.Open(record(t, sealer, ""), header)
		require.NoError(t, err)
		assert.Empty(t, empty)
	}
}

// TestEachBitCounts: a record of which a bit was changed, or the end is missing, does not open, and the genuine one still does.
func TestEachBitCounts(t *testing.T) {
	s := NewSecret(token, "test/1")
	for _, way := range ways {
		r, opener := record(t, s.Sealer(way), "payload"), s.Opener(way)
		for bit := range 8 * len(r) {
			forged := bytes.Clone(r)
			forged[bit/8] ^= 1 << (bit % 8)
			_, err := opener.Open(forged, header)
			assert.Condition(t, func() bool { return err == ErrForged || err == ErrSpent }, "bit %d: %v", bit, err)
		}
		for n := range r {
			_, err := opener.Open(bytes.Clone(r[:n]), header)
			require.Error(t, err)
		}
		_, err := opener.Open(append(bytes.Clone(r), 0), header)
		require.ErrorIs(t, err, ErrForged)
		_, err = opener.Open(r, header)
		require.NoError(t, err)
	}
}

// TestKeysAreBoundToTheirTerms: a record opens with the terms with which it was sealed, and with no others.
func TestKeysAreBoundToTheirTerms(t *testing.T) {
	s := NewSecret(token, "test/1")
	for _, way := range ways {
		r := record(t, s.Sealer(way), "payload")
		others := []Terms{way.Reversed()}
		for range 3 {
			others = append(others, way)
		}
		others[1].Epoch++
		others[2].To[15]++
		others[3].From[15]++
		for _, other := range ways {
			if other != way {
				others = append(others, other)
			}
		}
		for _, other := range others {
			_, err := s.Opener(other).Open(bytes.Clone(r), header)
			assert.ErrorIs(t, err, ErrForged, "%v", other)
		}
		for _, other := range []*Secret{NewSecret(token, "test/2"), NewSecret(token[1:], "test/1")} {
			_, err := other.Opener(way).Open(bytes.Clone(r), header)
			assert.ErrorIs(t, err, ErrForged)
		}
	}
}

// TestSealersUseEachCounterOnce, whatever goroutines call them, and stop at the Limit.
func TestSealersUseEachCounterOnce(t *testing.T) {
	sealer := NewSecret(token, "test/1").Sealer(ways[0])
	var mu sync.Mutex
	seen := make(map[uint64]bool)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 250 {
				b, err := sealer.Seal(make([]byte, header), header)
				assert.NoError(t, err)
				counter := binary.BigEndian.Uint64(b[4:])
				mu.Lock()
				assert.False(t, seen[counter])
				seen[counter] = true
				mu.Unlock()
			}
		})
	}
	all.Wait()
	assert.Len(t, seen, 1000)
	assert.EqualValues(t, 1000, sealer.Sealed())
	sealer.next = Limit - 1
	_, err := sealer.Seal(make([]byte, header), header)
	require.NoError(t, err)
	for range 3 {
		_, err = sealer.Seal(make([]byte, header), header)
		require.ErrorIs(t, err, ErrSpent)
	}
}

// TestAnOpenerEndsAfterTooManyForgeries: then chance could let one pass.
func TestAnOpenerEndsAfterTooManyForgeries(t *testing.T) {
	for _, way := range ways {
		s := NewSecret(token, "test/1")
		opener := s.Opener(way)
		opener.forged = way.Suite.forgeries() - 1
		_, err := opener.Open(make([]byte, header+TagSize), header)
		require.ErrorIs(t, err, ErrForged)
		_, err = opener.Open(record(t, s.Sealer(way), ""), header)
		require.ErrorIs(t, err, ErrSpent)
	}
}

// TestStreamsTakeTheNextRecordOnly, so that none can be left out.
func TestStreamsTakeTheNextRecordOnly(t *testing.T) {
	s := NewSecret(token, "test/1")
	sealer, opener := s.Sealer(ways[1]), s.Opener(ways[1])
	first, second := record(t, sealer, "1"), record(t, sealer, "2")
	_, err := opener.OpenNext(bytes.Clone(second), header)
	require.ErrorIs(t, err, ErrReplayed)
	for _, r := range [][]byte{first, second} {
		again := bytes.Clone(r)
		_, err = opener.OpenNext(r, header)
		require.NoError(t, err)
		_, err = opener.OpenNext(again, header)
		require.ErrorIs(t, err, ErrReplayed)
	}
}

func TestSteadyStateAllocatesNothing(t *testing.T) {
	s := NewSecret(token, "test/1")
	b := make([]byte, header+1000+TagSize)
	for _, way := range ways {
		sealer, opener := s.Sealer(way), s.Opener(way)
		assert.Zero(t, testing.AllocsPerRun(100, func() {
			r, err := sealer.Seal(b[:header+1000], header)
			if err == nil {
				_, err = opener.Open(r, header)
			}
			if err != nil {
				t.Fatal(err)
			}
		}))
	}
}

func FuzzOpen(f *testing.F) {
	s := NewSecret(token, "test/1")
	for _, way := range ways {
		b, err := s.Sealer(way).Seal(append([]byte("head"), make([]byte, CounterSize+7)...), header)
		require.NoError(f, err)
		f.Add(b)
		f.Add(b[:header+TagSize])
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		opened := 0
		for _, way := range ways {
			genuine, err := s.Sealer(way).Seal(append([]byte("head"), make([]byte, CounterSize+7)...), header)
			require.NoError(t, err)
			_, err = s.Opener(way).Open(bytes.Clone(b), header)
			require.Equal(t, bytes.Equal(b, genuine), err == nil)
			if err == nil {
				opened++
			}
		}
		require.LessOrEqual(t, opened, 1)
	})
}

func benchmark(b *testing.B, way Terms, size int) {
	s := NewSecret(token, "test/1")
	buffer := make([]byte, header+size+TagSize)
	sealer, opener := s.Sealer(way), s.Opener(way)
	b.SetBytes(int64(size))
	for b.Loop() {
		if sealer.next == Limit {
			sealer.next, opener.window = 0, window{}
		}
		r, err := sealer.Seal(buffer[:header+size], header)
		if err == nil {
			_, err = opener.Open(r, header)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}

// What one record costs both ends together.
func BenchmarkAuthAES64(b *testing.B)      { benchmark(b, ways[0], 64) }
func BenchmarkAuthAES65000(b *testing.B)   { benchmark(b, ways[0], 65000) }
func BenchmarkEncryptAES64(b *testing.B)   { benchmark(b, ways[1], 64) }
func BenchmarkEncryptAES1400(b *testing.B) { benchmark(b, ways[1], 1400) }
func BenchmarkEncryptAES65000(b *testing.B) {
	benchmark(b, ways[1], 65000)
}
func BenchmarkEncryptChaCha65000(b *testing.B) { benchmark(b, ways[3], 65000) }
