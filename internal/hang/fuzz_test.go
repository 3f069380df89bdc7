package hang

import (
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// FuzzDecode reads what any program may say that it waits for. Nothing that a terminal obeys is left in it.
func FuzzDecode(f *testing.F) {
	f.Add(`{"rank":3,"waits":[{"in":"MPI_Recv","at":"main.c:7","for":"a message of rank 1","time":5}],"more":1,"beside":"x","state":""}`)
	f.Add(`{"rank":0,"state":"\u009b2J\u001b[2J\n"}`)
	f.Add("{\"rank\":0,\"beside\":\"\x9b2J\"}")
	f.Add(`{`)
	f.Fuzz(func(t *testing.T, text string) {
		r, err := Decode(text)
		if err != nil {
			return
		}
		texts := []string{r.Beside, r.State}
		for _, w := range r.Waits {
			require.GreaterOrEqual(t, w.Time, 0*w.Time)
			texts = append(texts, w.In, w.At, w.For)
		}
		for _, s := range texts {
			require.True(t, utf8.ValidString(s))
			require.LessOrEqual(t, len(s), maxText+len("..."))
			for _, c := range s {
				require.False(t, unicode.IsControl(c), "%q", s)
			}
		}
	})
}
