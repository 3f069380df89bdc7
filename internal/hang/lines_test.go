package hang

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestRanksThatSayTheSameAreOneLine(t *testing.T) {
	var ranks []Rank
	for i := range 300 {
		w := Wait{In: "Barrier (call 2)", For: "for rank 0", At: "main.go:7", Time: time.Duration(3+i%2) * time.Second}
		ranks = append(ranks, Rank{Rank: i, Waits: []Wait{w}})
	}
	ranks[0] = Rank{Rank: 0, Waits: []Wait{{In: "Ssend", For: "to 1, tag 0", At: "main.go:41", Time: 3 * time.Second}}, Beside: "unexpected: tag 3 from 0"}
	require.Equal(t, []string{
		"rank 0 waits 3 s in Ssend to 1, tag 0, at main.go:41; unexpected: tag 3 from 0",
		"ranks 1-299 wait 3 s to 4 s in Barrier (call 2) for rank 0, at main.go:7",
	}, Lines(ranks))
}

func TestManyStatesAreFoldedByTheCall(t *testing.T) {
	var ranks []Rank
	for i := range 300 {
		ranks = append(ranks, Rank{Rank: i, Waits: []Wait{{In: "Recv", For: "from " + strings.Repeat("1", i), At: "main.go:7"}}})
	}
	ranks[5] = Rank{Rank: 5, State: "did not answer"}
	require.Equal(t, []string{
		"ranks 0-4, 6-299 wait less than 1 s in Recv, at main.go:7",
		"rank 5 did not answer",
	}, Lines(ranks))
}

func TestLinesAreBounded(t *testing.T) {
	var ranks []Rank
	for i := range 300 {
		ranks = append(ranks, Rank{Rank: i, Waits: []Wait{{In: "Recv", At: strings.Repeat("1", i)}}})
	}
	lines := Lines(ranks)
	require.Len(t, lines, MaxLines+1)
	require.Equal(t, "and 284 more ranks, in other states", lines[MaxLines])
}

func TestWhatIsTooLongIsCutAndDecodes(t *testing.T) {
	r := Rank{Rank: 3, Beside: strings.Repeat("x", 10*MaxEncoded)}
	for range MaxWaits {
		r.Waits = append(r.Waits, Wait{In: strings.Repeat("y", MaxEncoded/4)})
	}
	text := r.Encode()
	require.LessOrEqual(t, len(text), MaxEncoded)
	got, err := Decode(text)
	require.NoError(t, err)
	require.Equal(t, 3, got.Rank)
	for _, bad := range []string{"", "{", `{"rank":"x"}`, strings.Repeat(" ", MaxEncoded+1), `{"waits":[` + strings.Repeat("{},", MaxWaits) + "{}]}"} {
		_, err := Decode(bad)
		require.Error(t, err, bad)
	}
	got, err = Decode(`{"beside":"a\nb\u001b[31m"}`)
	require.NoError(t, err)
	require.Equal(t, "a b [31m", got.Beside, "it stays one line")
}

func TestGoroutinesAreToldApart(t *testing.T) {
	const waits = "goroutine 1 [IO wait, 3 minutes]:\ninternal/poll.x()\n\t/a.go:1\ngithub.com/sctpmpi/sctpmpi/mpi.Recv[...](0x1)\n\t/b.go:1\nmain.main()\n\t/c.go:1"
	const ours = "goroutine 2 [select]:\nbufio.x()\n\t/a.go:1\ngithub.com/sctpmpi/sctpmpi/internal/pmi.read()\n\t/b.go:1\ncreated by github.com/sctpmpi/sctpmpi/internal/pmi.f in goroutine 1\n\t/c.go:1"
	user := func(state string) string {
		return "goroutine 3 [" + state + "]:\ntime.x()\n\t/a.go:1\nmain.work()\n\t/b.go:1"
	}
	for _, test := range []struct {
		state  string
		others bool
	}{
		{"running", true}, {"sleep, 2 minutes", true}, {"syscall", true}, {"chan receive", true}, {"select", true},
		{"sync.WaitGroup.Wait, 9 minutes", false}, {"sync.Mutex.Lock", false}, {"select (no cases)", false},
	} {
		inside, others := classify(strings.Join([]string{waits, ours, user(test.state)}, "\n\n"))
		require.Equal(t, 1, inside)
		require.Equal(t, test.others, others, test.state)
	}
}
