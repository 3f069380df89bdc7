package wire

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"flag"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var seedFlag = flag.Uint64("wire.seed", 0, "seed of the random tests, to repeat a run; 0 takes a new one")

// newRand returns a source of random test data whose seed a failure shows.
func newRand(t testing.TB) *rand.Rand {
	seed := *seedFlag
	if seed == 0 {
		seed = rand.Uint64()
	}
	t.Logf("repeat with -wire.seed=%d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}

// randomBytes returns least to most random bytes.
func randomBytes(r *rand.Rand, least, most int) []byte {
	b := make([]byte, least+r.IntN(most-least+1))
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// unhex decodes hexadecimal digits, between which there may be spaces.
func unhex(t testing.TB, digits string) []byte {
	b, err := hex.DecodeString(strings.Join(strings.Fields(digits), ""))
	require.NoError(t, err)
	return b
}

// chunkOf returns the chunk of type typ with that value.
func chunkOf(t testing.TB, typ ChunkType, value []byte) Chunk {
	b := binary.BigEndian.AppendUint16([]byte{byte(typ), 0}, uint16(itemHeaderSize+len(value)))
	c, err := ParseChunk(append(b, value...))
	require.NoError(t, err)
	return c
}

// codec is how one type of chunk is encoded and decoded, and the tests that
// all types have in common.
type codec[T any] struct {
	parse  func(Chunk) (T, error)
	append func([]byte, T) []byte
	// bytes is an encoded chunk with its padding, in hexadecimal, and value is
	// what it means.
	bytes string
	value T
	// valid reports whether the chunk above would be well formed if it had n
	// bytes, cut off or with zero bytes at its end. Nil: for no other length.
	valid func(n int) bool
	// random returns any value that the chunk can have.
	random func(*rand.Rand) T
}

func (k codec[T]) test(t *testing.T) {
	t.Run("has the form of the RFC", func(t *testing.T) {
		b := unhex(t, k.bytes)
		assert.Equal(t, hex.EncodeToString(b), hex.EncodeToString(k.append(nil, k.value)))
		c, err := ParseChunk(b)
		require.NoError(t, err)
		v, err := k.parse(c)
		require.NoError(t, err)
		assert.Equal(t, k.value, v)
	})
	t.Run("is appended", func(t *testing.T) {
		before := []byte("before")
		b := k.append(before, k.value)
		assert.Equal(t, append(before, unhex(t, k.bytes)...), b)
	})
	t.Run("has no other length", func(t *testing.T) {
		c, err := ParseChunk(unhex(t, k.bytes))
		require.NoError(t, err)
		value := append(append([]byte{}, c.Value()...), make([]byte, 9)...)
		for n := itemHeaderSize; n <= itemHeaderSize+len(value); n++ {
			cut := chunkOf(t, c.Type, value[:n-itemHeaderSize])
			cut.Flags = c.Flags
			_, err := k.parse(cut)
			if n == len(c.Bytes()) || k.valid != nil && k.valid(n) {
				assert.NoError(t, err, "%d bytes", n)
			} else {
				assert.ErrorAs(t, err, new(*Error), "%d bytes", n)
			}
		}
	})
	t.Run("survives a round trip", func(t *testing.T) {
		r := newRand(t)
		for range 300 {
			v := k.random(r)
			b := k.append(nil, v)
			c, err := ParseChunk(b)
			require.NoError(t, err)
			require.Len(t, b, PaddedLen(len(c.Bytes())))
			back, err := k.parse(c)
			require.NoError(t, err)
			require.Equal(t, v, back)
		}
	})
}

// fuzz checks that what parses can be encoded and is then the same, and that
// anything else gives an *Error.
func (k codec[T]) fuzz(f *testing.F) {
	f.Add(unhex(f, k.bytes))
	r := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		f.Add(k.append(nil, k.random(r)))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := ParseChunk(b)
		if err != nil {
			return
		}
		v, err := k.parse(c)
		if err != nil {
			_, typed := errors.AsType[*Error](err)
			require.True(t, typed)
			return
		}
		again, err := ParseChunk(k.append(nil, v))
		require.NoError(t, err)
		back, err := k.parse(again)
		require.NoError(t, err)
		require.Equal(t, v, back)
	})
}
