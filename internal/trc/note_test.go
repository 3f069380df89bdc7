package trc

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNotesSurviveTheWire(t *testing.T) {
	for kind := Ack; kind < noteEnd; kind++ {
		n := Note{Kind: kind, ID: 1 << 31, Context: 1 << 63, Tag: 1<<31 - 1, Seq: 1<<64 - 1}
		var got Note
		b := n.Append(nil)
		require.Len(t, b, NoteSize)
		require.NoError(t, got.Parse(b))
		require.Equal(t, n, got)
	}
}

// FuzzNote: whatever parses encodes to what was parsed.
func FuzzNote(f *testing.F) {
	for kind := range noteEnd + 1 {
		n := Note{Kind: kind, ID: 3, Context: 4, Tag: 5, Seq: 6}
		f.Add(n.Append(nil))
	}
	f.Add(make([]byte, NoteSize))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) != NoteSize {
			return
		}
		var n Note
		if n.Parse(b) == nil {
			require.Equal(t, b, n.Append(nil))
		}
	})
}
