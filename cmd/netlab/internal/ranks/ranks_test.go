package ranks

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
	"github.com/sctpmpi/sctpmpi/mpi/farm"
)

// local runs a program on ranks of this process and returns what rank 0 has measured.
func local[P any](t *testing.T, n int, f func(world *mpi.Comm, p P) (Metrics, error), p P) (m Metrics) {
	t.Helper()
	require.NoError(t, mpi.RunLocal(n, func(world *mpi.Comm) error {
		measured, err := f(world, p)
		if world.Rank() == 0 {
			m = measured
		}
		return err
	}))
	return m
}

func assertOrdered(t *testing.T, m Metrics) {
	t.Helper()
	assert.Positive(t, m["p50"])
	assert.LessOrEqual(t, m["p50"], m["p95"])
	assert.LessOrEqual(t, m["p95"], m["p99"])
	assert.LessOrEqual(t, m["p99"], m["max"])
}

func TestPingPongEndsAfterItsRoundTrips(t *testing.T) {
	m := local(t, 2, pingpong, PingPong{Size: 100 << 10, Least: 3})
	assert.Positive(t, m["throughput"])
	assert.Positive(t, m["roundtrip"])
}

func TestFarmDoesEachTaskOnce(t *testing.T) {
	for _, p := range []Farm{
		{Tasks: 1, Size: 1000, Fanout: 10, Slots: 3, Result: 64},
		{Tasks: 100, Size: 1000, Fanout: 1, Slots: 10, Result: 64, Receives: farm.AnyTag, Overtaking: true},
		{Tasks: 97, Size: 100_000, Fanout: 10, Slots: 2, Result: 17, Receives: farm.Named, Compute: time.Microsecond},
	} {
		m := local(t, 4, farming, p)
		assert.Positive(t, m["time"], "rank 0 itself checks that all tasks are done")
		assert.Positive(t, m["wait50"])
		assert.LessOrEqual(t, m["wait50"], m["wait99"])
		assert.Positive(t, m["idle"])
		assert.LessOrEqual(t, m["idle"], m["idlest"])
		assert.LessOrEqual(t, m["idlest"], 100.0)
	}
}

func announced[P any](t *testing.T, f func(world *mpi.Comm, p P, stdout io.Writer) (Metrics, error), p P) Metrics {
	t.Helper()
	var out bytes.Buffer
	m := local(t, 2, func(world *mpi.Comm, p P) (Metrics, error) {
		if world.Rank() == 0 {
			return f(world, p, &out)
		}
		return f(world, p, nil)
	}, p)
	assert.Equal(t, Begun+"\n", out.String())
	return m
}

func TestHeadOfLineMeasuresTheSmallMessages(t *testing.T) {
	for _, receive := range []string{"", "any"} {
		t.Setenv(ReceiveVariable, receive)
		for _, ninetyNinth := range []bool{true, false} {
			m := announced(t, headOfLine, HeadOfLine{
				Small: 64, Bulk: 4 << 10, SmallEvery: time.Millisecond, BulkEvery: time.Millisecond,
				Calm: 10, Beside: 20, Alone: 10, NinetyNinth: ninetyNinth,
			})
			assert.Positive(t, m["p50"])
			assert.LessOrEqual(t, m["p50"], m["p90"])
			assert.LessOrEqual(t, m["p90"], m["p95"])
			assert.Positive(t, m["bulk"])
			assert.Equal(t, ninetyNinth, m["p99"] > 0)
		}
	}
}

func TestWhatIsLateLessWhatIsLateAloneIsBlocked(t *testing.T) {
	calm, beside := make(latencies, 100), make(latencies, 200)
	for i := range calm {
		calm[i] = 10 + float64(i)/100
	}
	copy(beside[180:], slices.Repeat([]float64{20}, 20))
	beside[0] = 10.99 // the calm one's greatest, and above its 99th percentile
	m := Metrics{}
	HeadOfLine{}.report(m, calm, beside, latencies{1, 1, 1, 30})
	assert.Equal(t, 10.98, m["calm"])
	assert.Equal(t, 10.5, m["delayed"])
	assert.Equal(t, 25.0, m["own"])
	assert.Zero(t, m["blocked"], "a share is not negative")
	HeadOfLine{}.report(m, calm, beside, make(latencies, 4))
	assert.Equal(t, 10.5, m["blocked"])
	assert.NotContains(t, m, "p99")
}

func TestSenderQueueMeasuresTheSmallMessages(t *testing.T) {
	assertOrdered(t, local(t, 2, senderQueue, SenderQueue{Small: 64, Count: 20, Every: time.Millisecond, Bulk: 30 << 10, Window: 4}))
}

func TestLateReceiverHasItsCriticalPathFirst(t *testing.T) {
	for _, bulks := range []int{0, 20} {
		for _, size := range []int{1 << 10, 300 << 10} {
			m := local(t, 2, lateReceiver, LateReceiver{Bulk: size, Bulks: bulks, Small: 100, Steps: 5})
			assert.Positive(t, m["critical"])
			assert.Positive(t, m["drain"])
			assert.Greater(t, m["total"], m["drain"])
		}
	}
}

func TestLongShortMeasuresTheShortMessage(t *testing.T) {
	m := local(t, 2, longShort, LongShort{Long: 200 << 10, Longs: 3, Short: 1 << 10, Count: 3})
	assertOrdered(t, m)
	assert.GreaterOrEqual(t, m["all"], m["p50"])
}

func TestStreamsMeasuresMessagesOfAllTags(t *testing.T) {
	assertOrdered(t, local(t, 2, manyStreams, Streams{Tags: 5, Count: 3, Size: 100, Every: time.Millisecond}))
}

func TestMultihomeSaysWhenItBegins(t *testing.T) {
	m := announced(t, multihome, Multihome{Size: 100, Count: 20, Every: time.Millisecond, Window: 4, After: time.Hour})
	assert.Positive(t, m["gap"])
}

func TestBulkMeasuresAllFlowsAndWhatIsBeside(t *testing.T) {
	for _, p := range []Bulk{
		{Flows: 1, Size: 30 << 10, Under: 4, For: 300 * time.Millisecond},
		{Flows: 2, Size: 30 << 10, Under: 4, For: 300 * time.Millisecond, Probe: time.Millisecond, Beside: "reno"},
	} {
		var out bytes.Buffer
		m := local(t, p.Ranks(), func(world *mpi.Comm, p Bulk) (Metrics, error) { return bulk(world, p, &out) }, p)
		assert.Equal(t, Begun+"\n", out.String())
		assert.Positive(t, m["throughput"])
		assert.Greater(t, m["fairness"], 0.4)
		assert.LessOrEqual(t, m["fairness"], 1.0)
		assert.GreaterOrEqual(t, m["again"], 0.0)
		assert.Equal(t, p.Probe > 0, m["wait50"] > 0)
		assert.LessOrEqual(t, m["wait50"], m["wait99"])
		assert.Equal(t, p.Beside != "", m["beside"] > 0)
		assert.Equal(t, p.Beside != "", m["share"] > 0)
	}
}

// What comes before the time that counts, or after it, does not.
func TestWhatCountsOfBulk(t *testing.T) {
	var counted taken
	begun := time.Now()
	for i, want := range []bool{false, false, true, true, false} {
		assert.Equal(t, want, counted.arrived(begun.Add(time.Duration(i)*time.Second), 10, 2*time.Second, 4*time.Second), i)
	}
	assert.Equal(t, 20.0, counted.bytes)
	assert.Equal(t, time.Second, counted.gap)
}

func TestSocketsOfOneProcessAreCounted(t *testing.T) {
	m := local(t, 3, sockets, Sockets{Tags: 100, Count: 2, Size: 64})
	assert.Positive(t, m["sockets"])
	assert.Positive(t, m["memory"])
}

func TestConnectionsTalksBesideIdlePeers(t *testing.T) {
	var out bytes.Buffer
	params, err := json.Marshal(Connections{Idle: 5, Small: 64, Long: 100 << 10})
	require.NoError(t, err)
	require.NoError(t, Run("connections", params, 0, &out))
	var m Metrics
	require.NoError(t, json.Unmarshal(out.Bytes(), &m))
	assert.Positive(t, m["roundtrip"])
}

func TestDamagedMessageIsNoticed(t *testing.T) {
	for _, size := range []int{headerSize, 24, 61, 1000} {
		data := make([]byte, size)
		fill(data, 7, 9)
		stamp(data, time.Now().UnixNano())
		require.NoError(t, check(data, 7, 9))
		assert.Error(t, check(data, 7, 8), "another number")
		if size > headerSize {
			assert.Error(t, check(data, 8, 9), "another tag")
			data[size-1]++
			assert.Error(t, check(data, 7, 9), "%d bytes", size)
		}
	}
}

func TestUnknownProgramIsSaid(t *testing.T) {
	err := Run("pong", nil, 0, nil)
	assert.ErrorContains(t, err, `no rank program "pong"; there are bulk, connections, farm,`)
}

func TestWrongParametersAreSaid(t *testing.T) {
	err := Run("pingpong", []byte(`{"Size":"long"}`), 0, &strings.Builder{})
	assert.ErrorContains(t, err, "pingpong: parameters")
}
