package stats_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/internal/stats"
)

var few = map[int]stats.Rank{
	0: {
		Elapsed: 10 * time.Second, Waited: time.Second, Processor: 9 * time.Second, Collector: 90 * time.Millisecond,
		Traffic: stats.Traffic{Sent: 100, Received: 300, BytesSent: 1 << 20, BytesReceived: 3 << 20}, MostUnexpected: 7,
		SystemCalls: 1000, Sockets: 1, Chunks: 1000, Resent: 10, Streams: 4, Memory: 32 << 20,
		PointToPoint: stats.Lengths{Sent: stats.Histogram{4: 60, 16: 40}, Received: stats.Histogram{4: 30, 16: 270}}, Waits: stats.Histogram{11: 3},
	},
	2: {
		Elapsed: 10 * time.Second, Waited: 5 * time.Second, Processor: 5 * time.Second, Collector: 10 * time.Millisecond,
		Traffic: stats.Traffic{Sent: 300, Received: 100, BytesSent: 3 << 20, BytesReceived: 1 << 20}, MostUnexpected: 2,
		SystemCalls: 500, Sockets: 1, Chunks: 3000, Streams: 20, Memory: 16 << 20,
		PointToPoint: stats.Lengths{Sent: stats.Histogram{4: 30, 16: 270}, Received: stats.Histogram{4: 60, 16: 40}},
	},
}

func TestTableNamesTheRanksWithLeastAndMost(t *testing.T) {
	assert.Equal(t, `
                               all ranks          least (rank)           most (rank)
time in the job                      10s               10s (0)               10s (0)
share of it waiting                30.0%             10.0% (0)             50.0% (2)
processor time                       14s                5s (2)                9s (0)
collector's share                   0.7%              0.2% (2)              1.0% (0)
messages sent                        400               100 (0)               300 (2)
messages received                    400               100 (2)               300 (0)
bytes sent                       4.0 MiB           1.0 MiB (0)           3.0 MiB (2)
bytes received                   4.0 MiB           1.0 MiB (2)           3.0 MiB (0)
unexpected, at most                    7                 2 (2)                 7 (0)
system calls                        1500               500 (2)              1000 (0)
sockets                                2                 1 (0)                 1 (0)
SCTP: DATA chunks                   4000              1000 (0)              3000 (2)
SCTP: sent again                    0.2%              0.0% (2)              1.0% (0)
SCTP: streams used                    24                 4 (0)                20 (2)
memory, at most                 48.0 MiB          16.0 MiB (2)          32.0 MiB (0)
sent, 8-15 B                          90                30 (2)                60 (0)
sent, 32-64 KiB                      310                40 (0)               270 (2)
waits, 1.02µs-2.05µs                   3                 0 (2)                 3 (0)
no statistics of ranks that have not finalized: 1, 3-5`, "\n"+strings.Join(stats.Table(few, 6), "\n"))
}

func TestTransportsWithoutSCTPHaveNoLinesOfIt(t *testing.T) {
	table := strings.Join(stats.Table(map[int]stats.Rank{0: {Elapsed: time.Second}}, 1), "\n")
	assert.NotContains(t, table, "SCTP")
	assert.NotContains(t, table, "memory")
	assert.Contains(t, table, "collector's share")
}

func TestBytesHaveAUnitThatSuitsThem(t *testing.T) {
	for bytes, text := range map[uint64]string{0: "0 B", 1023: "1023 B", 1024: "1.0 KiB", 5 << 29: "2.5 GiB", 1 << 52: "4096.0 TiB"} {
		table := strings.Join(stats.Table(map[int]stats.Rank{0: {Traffic: stats.Traffic{BytesSent: bytes}}}, 1), "\n")
		assert.Regexp(t, `bytes sent +`+text+` +`+text+` \(0\)`, table)
	}
}

func TestNoRankHasToldAnything(t *testing.T) {
	assert.Equal(t, []string{"no rank has told its statistics: none has finalized"}, stats.Table(nil, 3))
}

func TestWhatARankTellsIsRead(t *testing.T) {
	r, found, err := stats.Decode(few[0].Encode())
	require.NoError(t, err)
	assert.True(t, found)
	assert.Equal(t, few[0], r)

	_, found, err = stats.Decode("17 an answer to a question")
	assert.False(t, found)
	assert.NoError(t, err)

	_, _, err = stats.Decode(stats.Rank{Waits: make(stats.Histogram, 66)}.Encode())
	assert.ErrorContains(t, err, "more than 65 places")

	_, found, err = stats.Decode(stats.Key + " {")
	assert.True(t, found)
	assert.Error(t, err)
}

// What a rank tells is a line of the launcher's protocol, of at most 8 KiB.
func TestWhatARankTellsIsNotLong(t *testing.T) {
	most := make(stats.Histogram, 65)
	for place := range most {
		most[place] = 1<<64 - 1
	}
	lengths := stats.Lengths{Sent: most, Received: most}
	assert.Less(t, len(stats.Rank{PointToPoint: lengths, Collective: lengths, Waits: most}.Encode()), 8000)
}

func TestHistogramEndsWithTheLargest(t *testing.T) {
	places := [65]uint64{2: 5, 7: 1}
	h := stats.Counted(places[:])
	assert.Equal(t, stats.Histogram{0, 0, 5, 0, 0, 0, 0, 1}, h)
	assert.EqualValues(t, 6, h.Sum())
	assert.EqualValues(t, 5, h.At(2))
	assert.Zero(t, h.At(64))
	assert.Empty(t, stats.Counted(make([]uint64, 65)))
}

func TestPlacesAreNamedByTheirRanges(t *testing.T) {
	for place, want := range map[int]string{
		0: "0 B", 1: "1 B", 2: "2-3 B", 4: "8-15 B", 10: "512-1023 B", 11: "1-2 KiB", 20: "512-1024 KiB", 21: "1-2 MiB", 31: "1-2 GiB", 64: "8-16 EiB",
	} {
		assert.Equal(t, want, stats.Bytes(place))
	}
	for place, want := range map[int]string{0: "0", 1: "1ns-2ns", 10: "512ns-1.02µs", 21: "1.05ms-2.1ms", 31: "1.07s-2.15s"} {
		assert.Equal(t, want, stats.Times(place))
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(few[0].Encode())
	f.Add(stats.Key + ` {"elapsed":-1}`)
	f.Add(stats.Rank{Waits: stats.Histogram{64: 1}, Collective: stats.Lengths{Sent: stats.Histogram{64: 1}}}.Encode())
	f.Fuzz(func(t *testing.T, text string) {
		r, _, _ := stats.Decode(text)
		stats.Table(map[int]stats.Rank{0: r}, 2)
	})
}
