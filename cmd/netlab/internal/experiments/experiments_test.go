package experiments_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/experiments"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
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
			sum += e.Budget
			if e.Name == "farm-loss" || e.Name == "hol" {
				continue // which are planned anew
			}
			assert.LessOrEqual(t, e.Expected()*5/4, e.Budget, "%s, quick %v", e.Name, quick)
			if !quick {
				assert.GreaterOrEqual(t, e.Rounds, plan.LeastJobs, e.Name)
			}
		}
		assert.Less(t, sum, map[bool]time.Duration{true: 45 * time.Minute, false: 14 * time.Hour}[quick], "quick %v", quick)
	}
}

func TestSelection(t *testing.T) {
	all, err := experiments.Select([]string{"all"}, nil, true)
	require.NoError(t, err)
	assert.Len(t, all, 8)
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
