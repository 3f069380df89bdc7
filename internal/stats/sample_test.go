package stats_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/internal/hang"
	"github.com/sctpmpi/sctpmpi/internal/stats"
)

var sample = stats.Sample{
	Hang:    hang.Rank{Rank: 3, Waits: []hang.Wait{{In: "Recv", At: "farm.go:12", For: "from 0, tag 5", Peers: []int{0}, Time: time.Second}}},
	Elapsed: time.Minute, Processor: time.Second, Traffic: stats.Traffic{Sent: 1, Received: 2, BytesSent: 3, BytesReceived: 4}, Unexpected: 5, Memory: 6, Resent: 7,
	Lengths: &stats.Lengths{Sent: stats.Histogram{0, 0, 1}, Received: stats.Histogram{2}},
	Peers:   []stats.Peer{{Rank: 0, RoundTrip: time.Millisecond, Resent: 7}}, Suspected: []int{9},
}

func TestASampleIsRead(t *testing.T) {
	read, err := stats.DecodeSample(sample.Encode())
	require.NoError(t, err)
	assert.Equal(t, sample, read)
}

func TestASampleKeepsTheWorstPeers(t *testing.T) {
	var s stats.Sample
	for rank := range 1000 {
		s.Peers = append(s.Peers, stats.Peer{Rank: rank, RoundTrip: time.Duration(rank) * time.Millisecond})
	}
	s.Peers[5].Resent = 3
	read, err := stats.DecodeSample(s.Encode())
	require.NoError(t, err)
	require.Len(t, read.Peers, stats.MaxPeers)
	assert.Equal(t, 1000-stats.MaxPeers, read.MorePeers)
	assert.Equal(t, []int{5, 999, 998}, []int{read.Peers[0].Rank, read.Peers[1].Rank, read.Peers[2].Rank})
}

// However much there is to say, it fits one line of PMI.
func TestASampleThatIsTooLongSaysLess(t *testing.T) {
	long := strings.Repeat("x", 290)
	s := sample
	s.Hang.Waits = slices.Repeat([]hang.Wait{{In: long, At: long, For: long}}, hang.MaxWaits)
	s.Peers = slices.Repeat(sample.Peers, stats.MaxPeers)
	read, err := stats.DecodeSample(s.Encode())
	require.NoError(t, err)
	assert.NotEmpty(t, read.Hang.Waits)
	assert.Equal(t, hang.MaxWaits, len(read.Hang.Waits)+read.Hang.More)
	assert.Nil(t, read.Lengths, "they go before what the rank waits for")

	s.Hang.Waits = []hang.Wait{{In: strings.Repeat("x", hang.MaxEncoded)}}
	read, err = stats.DecodeSample(s.Encode())
	require.NoError(t, err)
	assert.Equal(t, sample.Sent, read.Sent)
	assert.Equal(t, "has more to say than there is room for", read.Hang.State)
}

func TestASampleWithImpossibleLengthsIsRefused(t *testing.T) {
	s := sample
	s.Lengths = &stats.Lengths{Sent: make(stats.Histogram, 66)}
	_, err := stats.DecodeSample(s.Encode())
	assert.ErrorContains(t, err, "more than 65 places")
}

func FuzzDecodeSample(f *testing.F) {
	f.Add(sample.Encode())
	f.Add(`{"hang":{"waits":[{"time":-1}]},"peers":null}`)
	f.Fuzz(func(t *testing.T, text string) {
		if s, err := stats.DecodeSample(text); err == nil {
			s.Encode()
		}
	})
}
