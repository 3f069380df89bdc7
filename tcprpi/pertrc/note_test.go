package pertrc

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNotesSurviveTheWire(t *testing.T) {
	for kind := ack; kind < noteEnd; kind++ {
		n := note{kind: kind, id: 1 << 31, context: 1 << 63, tag: 1<<31 - 1, seq: 1<<64 - 1}
		var got note
		b := n.append(nil)
		require.Len(t, b, noteSize)
		require.NoError(t, got.parse(b))
		require.Equal(t, n, got)
	}
}

// FuzzNote: whatever parses encodes to what was parsed.
func FuzzNote(f *testing.F) {
	for kind := range noteEnd + 1 {
		n := note{kind: kind, id: 3, context: 4, tag: 5, seq: 6}
		f.Add(n.append(nil))
	}
	f.Add(make([]byte, noteSize))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) != noteSize {
			return
		}
		var n note
		if n.parse(b) == nil {
			require.Equal(t, b, n.append(nil))
		}
	})
}
