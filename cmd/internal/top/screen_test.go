package top

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/internal/sight"
	"github.com/sctpmpi/sctpmpi/internal/hang"
	"github.com/sctpmpi/sctpmpi/internal/stats"
)

var begun = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// at is a farm after so many seconds: rank 0 waits for any result, rank 1 for the next task, rank 2 computes, rank 3 has been stopped, and
// nothing is known of rank 4.
func at(seconds uint64) sight.Job {
	wait := func(of, peer int, any bool) hang.Rank {
		w := hang.Wait{In: "Recv", At: "farm.go:33", For: fmt.Sprintf("from %d, tag 1", peer), Peers: []int{peer}, Time: 3 * time.Second}
		if any {
			w.For, w.Peers, w.Any = "from any rank, tag 2", nil, true
		}
		return hang.Rank{Rank: of, Waits: []hang.Wait{w}}
	}
	sample := func(h hang.Rank, messages uint64, peers ...stats.Peer) stats.Sample {
		s := stats.Sample{
			Hang: h, Elapsed: time.Duration(seconds) * time.Second, Processor: time.Duration(seconds) * time.Second / 2,
			Traffic: stats.Traffic{Sent: messages * seconds, Received: seconds, BytesSent: messages * seconds << 10, BytesReceived: seconds << 20}, Memory: 20 << 20, Peers: peers,
		}
		for _, p := range peers {
			s.Resent += p.Resent
		}
		return s
	}
	return sight.Job{Pid: 4711, Name: "farm", Size: 5, Hosts: 2, Started: begun, Taken: begun.Add(time.Duration(seconds) * time.Second), Ranks: []sight.Rank{
		{Rank: 0, Host: "a", State: sight.Waiting, Known: true, Sample: sample(wait(0, 0, true), 200, stats.Peer{Rank: 3, RoundTrip: 12 * time.Millisecond, Resent: 7})},
		{Rank: 1, Host: "a", State: sight.Waiting, Known: true, Sample: sample(wait(1, 0, false), 10)},
		{Rank: 2, Host: "b", State: sight.Computing, Known: true, Sample: sample(hang.Rank{Rank: 2}, 12000)},
		{Rank: 3, Host: "b", State: sight.Stopped, Known: true, Age: 20 * time.Second, SuspectedBy: []int{0},
			Sample: sample(wait(3, 0, false), 10, stats.Peer{Rank: 0, RoundTrip: 300 * time.Microsecond})},
		{Rank: 4, Host: "b", State: sight.Untold},
	}}
}

func report() Report { return NewReport(at(61), at(60)) }

func text(s Screen) string { return "\n" + strings.Join(s.Lines(report()), "\n") + "\n" }

func TestTheTableSaysWhatEachRankDoes(t *testing.T) {
	assert.Equal(t, `
farm (mpirun 4711), 5 ranks on 2 hosts, running for 61s
1 computing, 2 waiting, 1 stopped, 1 untold; 12210 messages/s, 12M/s
holding others up: rank 3 (stopped): 2 ranks wait for it; rank 2 (computing): 2 ranks wait for it

 RANK HOST       STATE       CPU MEMORY SENT/s RECV/s  OUT/s   IN/s UNEXP RESENT    RTT WAITS
    0 a          waiting     50%    20M    200      1   200K   1.0M     0      7   12ms 3s in Recv from any rank, tag 2, at farm.go:33
    1 a          waiting     50%    20M     10      1    10K   1.0M     0      0      - 3s in Recv from 0, tag 1, at farm.go:33
    2 b          computing   50%    20M  12000      1    12M   1.0M     0      0      - 2 ranks wait for it
    3 b          stopped      0%    20M      0      0     0B     0B     0      0  300µs 2 ranks wait for it; 20s ago: 3s in Recv from 0, tag 1, at farm.go:33; suspected by 0
    4 b          untold        -      -      -      -      -      -     -      -      -
`, text(Screen{}))
}

// A narrow terminal has the columns that matter most, and shows where something is cut off.
func TestTheTableFitsTheTerminal(t *testing.T) {
	assert.Equal(t, `
farm (mpirun 4711), 5 ranks on 2 hosts, running for 61s
1 computing, 2 waiting, 1 stopped, 1 untold; 12210 messages/s, 12M/s
holding others up: rank 3 (stopped): 2 ranks wait for it; rank 2 (computing): 2…

 RANK HOST       STATE       CPU WAITS
    0 a          waiting     50% 3s in Recv from any rank, tag 2, at farm.go:33
    1 a          waiting     50% 3s in Recv from 0, tag 1, at farm.go:33
    2 b          computing   50% 2 ranks wait for it
    3 b          stopped      0% 2 ranks wait for it; 20s ago: 3s in Recv from …
    4 b          untold        -
`, text(Screen{Width: 80}))
	for _, styled := range []bool{false, true} {
		for mode := range modes {
			for width := 1; width < 200; width++ {
				for _, height := range []int{1, 5, 8, 24} {
					lines := Screen{Mode: mode, Width: width, Height: height, Keys: true, Styled: styled}.Lines(report())
					require.LessOrEqual(t, len(lines), height)
					for _, line := range lines {
						require.LessOrEqual(t, ansi.StringWidth(line), width, "%q", line)
					}
				}
			}
		}
	}
}

func TestALowTerminalShowsSomeRanks(t *testing.T) {
	assert.Equal(t, `
farm (mpirun 4711), 5 ranks on 2 hosts,…
1 computing, 2 waiting, 1 stopped, 1 un…
holding others up: rank 3 (stopped): 2 …

 RANK STATE     WAITS
    1 waiting   3s in Recv from 0, tag …
    2 computing 2 ranks wait for it
and 2 more ranks below
q quit   m matrix   p paths   t table  …
`, text(Screen{Width: 40, Height: 9, Offset: 1, Keys: true}))
}

func TestRanksAreSorted(t *testing.T) {
	order := func(name string, reverse bool) (ranks string) {
		for i, c := range columns {
			if c.name == name {
				for _, line := range (Screen{Sort: i, Reverse: reverse}).table(report(), 0)[1:] {
					ranks += strings.Fields(line)[0]
				}
			}
		}
		return ranks
	}
	assert.Equal(t, "01234", order("RANK", false))
	assert.Equal(t, "43210", order("RANK", true))
	assert.Equal(t, "20134", order("SENT/s", false))
	assert.Equal(t, "34102", order("SENT/s", true))
	assert.Equal(t, "23401", order("STATE", false))
}

// Ranks that wait for the same are one line.
func TestTheMatrixShowsWhoWaitsForWhom(t *testing.T) {
	job := at(61)
	for rank := 5; rank < 9; rank++ {
		job.Ranks = append(job.Ranks, job.Ranks[1])
		job.Ranks[rank].Rank = rank
	}
	both := &job.Ranks[8].Hang.Waits
	*both = []hang.Wait{{Peers: []int{2, 3}}}
	r := NewReport(job, sight.Job{})
	assert.Equal(t, `
WAITS \ FOR       any    0    2    3
0                   ●    ·    ·    ·
1, 5-7              ·    ●    ·    ·
8                   ·    ·    ●    ●
● waits for it; any: for whichever rank sends first
`, "\n"+strings.Join(Screen{}.matrix(r, 0), "\n")+"\n")
	assert.Equal(t, `
WAITS \ FOR       any    0
0                   ●    ·
● waits for it; any: for w…
`, "\n"+strings.Join(Screen{Width: 27}.matrix(r, 3), "\n")+"\n")
	assert.Equal(t, []string{"no rank waits"}, Screen{}.matrix(Report{}, 0))
}

func TestPathsShowTheWorstConnectionsFirst(t *testing.T) {
	assert.Equal(t, []string{
		"   FROM      TO  RESENT     RTT",
		"      0       3       7    12ms",
		"      3       0       0   300µs",
	}, Screen{}.paths(report(), 0))
	assert.Contains(t, Screen{}.paths(Report{}, 0)[0], "no connections over the network")
}

// The ranks that are named are those that do not wait themselves, whoever is between them and those that do.
func TestWhoHoldsOthersUp(t *testing.T) {
	ring := make([]sight.Rank, 5) // each waits for the next one, the last one computes
	for i := range ring {
		ring[i] = sight.Rank{Rank: i, State: sight.Waiting, Sample: stats.Sample{Hang: hang.Rank{Waits: []hang.Wait{{Peers: []int{i + 1}}}}}}
	}
	ring[4] = sight.Rank{Rank: 4, State: sight.Computing}
	assert.Equal(t, []Holding{{4, sight.Computing, 4}}, holding(ring))
	ring[4].State, ring[4].Hang.Waits = sight.Waiting, []hang.Wait{{Peers: []int{0, 77, -3}}} // and ranks that there are not
	assert.Empty(t, holding(ring), "a deadlock")
	assert.Contains(t, strings.Join(Screen{}.head(NewReport(sight.Job{Ranks: ring}, sight.Job{})), "\n"), "all ranks wait for each other")
}

func TestRatesAreThoseSinceTheLastLook(t *testing.T) {
	r := NewReport(at(61), sight.Job{})
	assert.InDelta(t, 200, r.Ranks[0].SentRate, 1e-9, "since Init")
	before := at(60)
	before.Ranks[0].Sent -= 100
	before.Ranks[0].Resent = 1000 // of a connection that has ended meanwhile
	r = NewReport(at(61), before)
	assert.InDelta(t, 300, r.Ranks[0].SentRate, 1e-9)
	assert.InDelta(t, 0.5, r.Ranks[0].Processors, 1e-9)
	assert.Zero(t, r.Ranks[0].ResentRate)
	assert.Zero(t, r.Ranks[3].SentRate, "it has said nothing new")
}

func TestNumbersAreShort(t *testing.T) {
	for n, want := range map[float64]string{0: "0", 0.04: "0", 0.5: "0.5", 1: "1", 9.96: "10", 99999: "99999", 123456: "123k", 2e9: "2000M", 1e30: "many"} {
		assert.Equal(t, want, count(n))
	}
	for n, want := range map[float64]string{0: "0B", 999: "999B", 1000: "1.0K", 1 << 20: "1.0M", 1000 << 20: "1.0G", 1 << 60: "1024P"} {
		assert.Equal(t, want, size(n))
	}
	for d, want := range map[time.Duration]string{0: "0µs", 1500 * time.Microsecond: "1.5ms", time.Second: "1s", time.Hour: "60min", 50 * time.Hour: "50h"} {
		assert.Equal(t, want, span(d))
	}
}
