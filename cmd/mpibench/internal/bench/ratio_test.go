package bench

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/sctpmpi/sctpmpi/cmd/internal/measure"
	"github.com/sctpmpi/sctpmpi/cmd/internal/report"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/rank"
)

// measured is a table of the peers benchmark.
type measured struct{ table }

func newMeasured() measured { return measured{newTable(peersTable)} }

func (m measured) add(figure, implementation, over string, value float64) *report.Point {
	p := m.slot(figure, "unit", implementation, over).Point
	p.Figures = map[string]measure.Figure{
		"value": {Median: value, Low: value / 2, High: value * 2, N: 3}, "wall_s": measure.Range(2), "cpu_s": measure.Range(3),
	}
	return p
}

func (m measured) derived(b *Peers, more ...*report.Table) *report.Report {
	r := &report.Report{Tables: append([]*report.Table{m.Table}, more...)}
	b.derive(r)
	return r
}

func TestRatioIsToTheBestPeerOverTCP(t *testing.T) {
	m := newMeasured()
	for figure, values := range map[string][4]float64{
		"half_rtt_8b": {3, 6, 4, 1}, // a time: less is better
		"bw_1m":       {60, 20, 30, 90},
	} {
		m.add(figure, "sctp-engine", network.ours, values[0])
		m.add(figure, "A", "TCP", values[1])
		m.add(figure, "B", "TCP", values[2])
		m.add(figure, "A", "shared memory", values[3])
	}
	r := m.derived(new(Peers))
	assert.Equal(t, map[string]float64{"half_rtt_8b": 0.75, "bw_1m": 2}, r.Ratio)
	p := m.Point("half_rtt_8b", "unit", "A", "TCP")
	assert.Equal(t, measure.Figure{Median: 1.5, Low: 0.75, High: 3, N: 3}, p.Figures["ratio"], "of all contenders")
	assert.Empty(t, r.RatioShared)
	assert.Nil(t, r.Table(sharedRatioTable), "ours was not measured over shared memory")
}

func TestRatioOverSharedMemoryIsToTheBestPeerOverSharedMemory(t *testing.T) {
	m := newMeasured()
	for _, c := range comparisons {
		m.add(c.key, "sctp-engine", network.ours, 1000)
		m.add(c.key, "sctp-engine", shared.ours, 4)
		m.add(c.key, "A", "TCP", 100)
		m.add(c.key, "A", "shared memory", 2)
		m.add(c.key, "B", "shared memory", 8)
	}
	r := m.derived(new(Peers))
	assert.Equal(t, map[string]float64{
		"half_rtt_8b": 2, "half_rtt_1k": 2, "half_rtt_8b_posted_10k": 2, "barrier_8ranks": 2, // times: the best is 2
		"rate_8b": 0.5, "bw_64k": 0.5, "bw_1m": 0.5, "bw_4m": 0.5, "bw_1m_alloc_mem": 0.5, "bw_4m_alloc_mem": 0.5, // rates: the best is 8
	}, r.RatioShared)
	assert.Equal(t, 10.0, r.Ratio["half_rtt_8b"], "each medium for itself")
	assert.NotNil(t, r.Table(sharedRatioTable).Point("half_rtt_8b_posted_10k", "≤ 0.05"), "the table says the goal")
}

func TestWithoutPeersThereIsNoRatioOverSharedMemory(t *testing.T) {
	m := newMeasured()
	m.add(halfRTT, "sctp-engine", shared.ours, 4)
	assert.Empty(t, m.derived(new(Peers)).RatioShared)
}

func TestOursOverSharedMemoryIsNotMeasuredWhereNoneIsShared(t *testing.T) {
	run := func(peers float64) error {
		_, err := sharing(func(context.Context) ([]rank.Figures, error) {
			return []rank.Figures{{"shared_peers": 1}, {"shared_peers": peers}}, nil
		})(t.Context())
		return err
	}
	assert.NoError(t, run(1))
	assert.ErrorIs(t, run(0), errors.ErrUnsupported)
}

func TestOursOverSharedMemoryIsOneTransport(t *testing.T) {
	var all []string
	for _, ct := range ownContenders(Options{Transports: []string{"tcp-perpair", "sctp-engine"}}) {
		all = append(all, ct.name+" "+ct.job(2, byRanks(comparisons)[2]).Name)
	}
	assert.Equal(t, []string{
		"tcp-perpair tcp-perpair", "sctp-engine sctp-engine", "sctp-engine sctp-engine over shared memory",
	}, all)
}

func TestRatiosOfEachTransportAreAColumn(t *testing.T) {
	m := newMeasured()
	m.add("rate_8b", "sctp-engine", network.ours, 100)
	m.add("rate_8b", "tcp-perpair", network.ours, 50)
	m.add("rate_8b", "A", "TCP", 20)
	table := m.derived(new(Peers)).Table(ratioTable)
	p := table.Point("rate_8b", "≥ 5.0")
	assert.Equal(t, 5.0, p.Figures["sctp-engine"].Median)
	assert.Equal(t, 2.5, p.Figures["tcp-perpair"].Median)
	assert.Len(t, table.Columns, 2)
}

func TestLatencyBesidePostedReceivesIsComparedWithOurOwn(t *testing.T) {
	m := newMeasured()
	m.add(halfRTT, "sctp-engine", network.ours, 4)
	m.add(posted10k, "sctp-engine", network.ours, 5)
	assert.Equal(t, map[string]float64{"half_rtt_8b_posted_10k_vs_own": 1.25}, m.derived(new(Peers)).Ratio,
		"without peers there is no other ratio")
}

func TestLatencyBesideIdleAssociationsIsComparedWithThatWithout(t *testing.T) {
	idle := newTable(idleTable)
	for n, us := range map[int]float64{0: 4, 1000: 5} {
		idle.slot("sctp-engine", n).Point.Figures = map[string]measure.Figure{"half_rtt_us": measure.Range(us)}
	}
	r := newMeasured().derived(&Peers{idle: 1000}, idle.Table)
	assert.Equal(t, map[string]float64{"half_rtt_8b_idle_1000": 1.25}, r.Ratio)
}

func TestComparisonsMakeFiguresOfTimes(t *testing.T) {
	want := map[string]float64{ // a step takes 1 ms
		"half_rtt_8b": 500, "half_rtt_1k": 500, posted10k: 500, "barrier_8ranks": 1000,
		"bw_64k": 64 * 65536 * 8 / 1e6, "bw_1m": 64 * 1048576 * 8 / 1e6, "bw_4m": 64 * 4194304 * 8 / 1e6, "rate_8b": 64,
		"bw_1m_alloc_mem": 64 * 1048576 * 8 / 1e6, "bw_4m_alloc_mem": 64 * 4194304 * 8 / 1e6,
	}
	for _, c := range comparisons {
		f := c.figures(rank.Figures{"count": 2000, "wall_s": 2, "cpu_s": 3})
		assert.InEpsilon(t, want[c.key], f["value"], 1e-9, c.key)
		assert.Equal(t, 2.0, f["wall_s"])
		assert.Equal(t, 3.0, f["cpu_s"])
	}
}

func TestAnOperationThatIsTimedApartIsItsOwnFigure(t *testing.T) {
	f := collectiveComparisons[0].figures(rank.Figures{"count": 2000, "wall_s": 2, "cpu_s": 3, "operation_us": 7})
	assert.Equal(t, 7.0, f["value"])
}

func TestCollectivesAreComparedOnFourAndOnEightRanks(t *testing.T) {
	jobs := byRanks(collectiveComparisons)
	assert.Len(t, jobs, 2)
	assert.Len(t, jobs[4], 6)
	assert.Len(t, jobs[8], 6)
	assert.Equal(t, "alltoall_1m_8ranks", jobs[8][5].key)
	assert.Equal(t, "alltoall:1048576:0", jobs[8][5].peerWork())
}

func TestPeersDoTheSameWork(t *testing.T) {
	var works []string
	for _, c := range comparisons {
		works = append(works, c.peerWork())
	}
	assert.Equal(t, []string{
		"latency:8:0", "latency:1024:0", "latency:8:10000",
		"flood:65536:64", "flood:1048576:64", "flood:4194304:64", "floodalloc:1048576:64", "floodalloc:4194304:64", "flood:8:64", "barrier:0:0",
	}, works)
}
