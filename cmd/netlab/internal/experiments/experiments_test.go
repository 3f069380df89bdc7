package experiments_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/experiments"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/ranks"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/record"
)

func TestPlansAreWellFormed(t *testing.T) {
	for _, quick := range []bool{true, false} {
		for _, e := range experiments.All(quick) {
			ids := map[string]bool{}
			for _, c := range e.Cases {
				assert.False(t, ids[c.ID()], "%s: two cases are %s", e.Name, c.ID())
				ids[c.ID()] = true
				assert.NoError(t, c.Conditions.Validate(), c.ID())
				assert.Positive(t, c.Timeout)
				assert.Implements(t, (*plan.Loaded)(nil), c.Params)
				_, err := json.Marshal(c.Params)
				assert.NoError(t, err)
			}
			for _, m := range e.Metrics { // a line of the CSV file has these of the job
				assert.NotContains(t, record.Columns, m.Name, e.Name)
			}
			for _, c := range e.Charts {
				assert.NotEmpty(t, e.Metric(c.Metric).Title)
				assert.True(t, hasFactor(e, c.X), "%s: no factor %q", e.Name, c.X)
			}
			assert.NotEmpty(t, e.Cells(), e.Name)
			assert.Positive(t, e.Rounds)
		}
	}
}

// A transport has the same place, and so the same colour in charts, in all experiments that compare the designs.
func TestDesignsComeFirstAndInOneOrder(t *testing.T) {
	designs := []string{"tcp-perpair", "tcp-pertrc", "sctp-kernel", "sctp-engine", "sctp-pertrc"}
	for _, e := range experiments.All(false) {
		if e.Name == "streams" { // only those with streams
			continue
		}
		var names []string
		for _, v := range e.Variants[:len(designs)] {
			names = append(names, v.Name)
		}
		assert.Equal(t, designs, names, e.Name)
	}
}

func hasFactor(e plan.Experiment, name string) bool {
	for _, f := range e.Cases[0].Factors {
		if f.Name == name {
			return true
		}
	}
	return false
}

// No cell of a full run is published with too few jobs, and none is left out for want of time where the host has nothing else to do.
func TestPlansHaveRoomForTheirJobs(t *testing.T) {
	for _, quick := range []bool{true, false} {
		var sum time.Duration
		for _, e := range experiments.All(quick) {
			sum += e.Expected()
			assert.LessOrEqual(t, e.Expected()*5/4, e.Budget, "%s, quick %v", e.Name, quick)
			if !quick {
				assert.GreaterOrEqual(t, e.Rounds, plan.LeastJobs, e.Name)
			}
		}
		assert.Less(t, sum, map[bool]time.Duration{true: 40 * time.Minute, false: 20 * time.Hour}[quick], "quick %v", quick)
	}
}

// A farm in which all tasks can be asked for at once is one bulk transfer to each worker.
func TestFarmsHaveManyMoreTasksThanAreAskedForAtOnce(t *testing.T) {
	for _, quick := range []bool{true, false} {
		cases := map[string]int{}
		for _, e := range experiments.All(quick) {
			for _, c := range e.Cases {
				p, ok := c.Params.(ranks.Farm)
				if !ok {
					continue
				}
				cases[c.Factors[1].String()+" of "+c.Factors[0].String()]++
				assert.GreaterOrEqual(t, p.Tasks, map[bool]int{true: 3, false: 4}[quick]*(c.Ranks-1)*p.Slots*p.Fanout, c.ID())
				assert.Contains(t, c.Factors[0].String(), fmt.Sprintf(", slots %d", p.Slots))
			}
		}
		want := map[string]int{"1 of 30 KiB, slots 10": 2, "10 of 30 KiB, slots 10": 2}
		if !quick {
			want = map[string]int{
				"1 of 30 KiB, slots 10": 3, "10 of 30 KiB, slots 10": 3 + 2 + 2*(3+2), "1 of 300 KiB, slots 3": 3, "10 of 300 KiB, slots 1": 3,
			}
		}
		assert.Equal(t, want, cases)
	}
}

// Where bulk is at most a quarter of what congestion control lets through, hardly anything queues at the sender: at half of it a window
// that a loss has made smaller is full, and in virtual time as many messages are late for that as for what was lost.
func TestBulkBesideSmallMessagesIsAQuarterOfWhatIsAllowed(t *testing.T) {
	bursts := 0
	for _, quick := range []bool{true, false} {
		for _, e := range experiments.All(quick) {
			for _, c := range e.Cases {
				p, ok := c.Params.(ranks.HeadOfLine)
				if !ok {
					continue
				}
				assert.True(t, c.Calm, "the first phase is without loss: %s", c.ID())
				bulk := float64(p.Bulk) * 8 / p.BulkEvery.Seconds()
				assert.LessOrEqual(t, bulk, plan.Allowed(c.Conditions)/4, c.ID())
				percent := float64(c.Conditions.Loss)
				if b := c.Conditions.LossBurst; b.P > 0 {
					bursts++
					percent = float64(100 * b.P / (b.P + b.R))
					assert.InDelta(t, 100.0/3, float64(b.R), 1e-9)
				}
				assert.Equal(t, percent < 0.5, p.NinetyNinth, c.ID())
				if e.Name == "hol" {
					assert.InDelta(t, c.Factors[2].Value, percent, 1e-9, c.ID())
				}
			}
		}
	}
	assert.Equal(t, 2*3, bursts, "of hol and hol-bbr")
}

// The late packets of reorder are those that netem does not send at once, at a stage without a rate, which would keep them in order.
func TestReorderedPacketsAreLate(t *testing.T) {
	for _, e := range experiments.All(false) {
		for _, c := range e.Cases {
			if !slices.Contains([]string{"reorder", "search-loss", "correlation-loss"}, e.Name) {
				assert.Zero(t, c.Sent, e.Name)
				continue
			}
			assert.NoError(t, c.Sent.Validate())
			assert.Zero(t, c.Sent.Rate)
			for _, f := range c.Factors {
				if f.Name == "reordered" && f.Value > 0 {
					assert.Equal(t, f.Value, 100-float64(c.Sent.Reorder))
				}
			}
		}
	}
}

// The answers that experiments expect are those of one process.
func TestAnswersOfApplications(t *testing.T) {
	program := filepath.Join(t.TempDir(), "taskfarm")
	out, err := exec.Command("go", "build", "-o", program, "github.com/sctpmpi/sctpmpi/cmd/taskfarm").CombinedOutput()
	require.NoError(t, err, string(out))
	for _, e := range experiments.All(true) {
		for _, c := range e.Cases {
			if c.App == nil {
				continue
			}
			assert.Equal(t, "taskfarm", c.App.Name)
			alone := exec.Command(program, c.App.Args...)
			alone.Stdin = bytes.NewReader(c.App.Input)
			out, err = alone.Output()
			require.NoError(t, err)
			assert.Contains(t, string(out), `"checksum":"`+c.App.Checksum+`"`, e.Name)
			break // one case is as all
		}
	}
}

func TestSelection(t *testing.T) {
	all, err := experiments.Select([]string{"all"}, nil, true)
	require.NoError(t, err)
	assert.Equal(t, len(experiments.All(true)), len(all))
	some, err := experiments.Select([]string{"hol", "sockets"}, []string{"sctp-engine"}, true)
	require.NoError(t, err)
	require.Len(t, some, 2)
	for _, e := range some {
		for _, v := range e.Variants {
			assert.Equal(t, "sctp-engine", v.Transport)
		}
	}
	_, err = experiments.Select([]string{"holl"}, nil, true)
	assert.ErrorContains(t, err, `"holl" is no experiment; there are pingpong-loss,`)
	_, err = experiments.Select([]string{"hol"}, []string{"udp"}, true)
	assert.ErrorContains(t, err, `"udp" is no transport; there are`)
}
