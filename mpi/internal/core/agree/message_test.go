package agree

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMessage(t *testing.T) {
	for _, size := range []int{1, 2, 64, 65, 1000} {
		m := Message{Propose, Value{Kinds: 2, Flags: 1 << 40, Choice: 1 << 50, Failed: SetOf(size - 1), Acked: SetOf(0)}}
		b := Append(nil, &m, size)
		require.Len(t, b, Length(size))
		got, err := Parse(b, size)
		require.NoError(t, err)
		require.Equal(t, []int{size - 1}, slices.Collect(got.Value.Failed.Ranks()))
		require.Equal(t, []int{0}, slices.Collect(got.Value.Acked.Ranks()))
		got.Value.Failed, got.Value.Acked = m.Value.Failed, m.Value.Acked
		require.Equal(t, m, got)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(Append(nil, &Message{Kind: Commit, Value: Value{Failed: SetOf(2)}}, 3), uint8(3))
	f.Add(make([]byte, Length(3)-1), uint8(3))
	f.Fuzz(func(t *testing.T, b []byte, size uint8) {
		m, err := Parse(b, int(size))
		if err != nil {
			return
		}
		require.Equal(t, b, Append(nil, &m, int(size)))
		for rank := range m.Value.Failed.Union(m.Value.Acked).Ranks() {
			require.Less(t, rank, int(size))
		}
	})
}
