package matching

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzHostileSender lets messages carry any sequence number with any tag, so
// that not even those of one TRC come in order. Any match will do for such a
// sender, but the engine must stay consistent and lose no message.
func FuzzHostileSender(f *testing.F) {
	for i := range uint64(10) {
		f.Add([]byte(randomHistory(rand.New(rand.NewPCG(2, i)))))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 200*commandSize {
			return
		}
		var e Engine
		in, out := 0, 0 // messages
		var receives []*Receive
		for ; len(data) >= commandSize; data = data[commandSize:] {
			source, tag, seq := Rank(data[1]%3)-1, Tag(data[2]%4)-1, Seq(data[3]%40)
			switch data[0] % 5 {
			case 0, 1:
				m := &Message{Source: source, Envelope: Envelope{Tag: tag, Seq: seq}}
				if e.Arrive(m) == nil {
					in++
				}
			case 2:
				_ = e.Skip(0, source, seq)
			case 3:
				r := &Receive{Source: source, Tag: tag}
				if e.Post(r) != nil {
					out++
				}
				receives = append(receives, r)
			case 4:
				if len(receives) > 0 {
					e.Cancel(receives[int(data[1])%len(receives)])
				}
				for m := range e.Messages() {
					if m.Seq == seq && e.Take(m) {
						out++
					}
				}
			}
			for r := e.Next(); r != nil; r = e.Next() {
				require.NotNil(t, r.Message)
				out++
			}
			require.NoError(t, check(&e, nil))
			_, unexpected := e.Depth()
			require.Equal(t, in, out+unexpected)
		}
		e.Release(0)
		require.NoError(t, holdsNothing(&e))
	})
}
