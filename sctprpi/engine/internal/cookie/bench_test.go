package cookie

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestSigningAndOpeningAllocateNothing(t *testing.T) {
	s := newSigner(t, 1)
	st := typical()
	b := make([]byte, 0, MaxSize)
	var got State
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		b = s.Append(b[:0], &st)
		if err := s.Open(b, st.Created, &got); err != nil {
			t.Fatal(err)
		}
	}))
}

// The cost of an INIT, and of a handshake.
func BenchmarkSigner(b *testing.B) {
	s := newSigner(b, 1)
	st := typical()
	buffer := make([]byte, 0, MaxSize)
	b.Run("Append", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			buffer = s.Append(buffer[:0], &st)
		}
	})
	b.Run("AppendOpen", func(b *testing.B) {
		b.ReportAllocs()
		var got State
		for b.Loop() {
			buffer = s.Append(buffer[:0], &st)
			if err := s.Open(buffer, st.Created, &got); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("OpenForged", func(b *testing.B) {
		b.ReportAllocs()
		buffer = s.Append(buffer[:0], &st)
		buffer[10]++
		var got State
		for b.Loop() {
			if err := s.Open(buffer, st.Created, &got); err != ErrForged {
				b.Fatal(err)
			}
		}
	})
}
