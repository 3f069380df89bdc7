package plan_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
	"github.com/sctpmpi/sctpmpi/internal/netem"
)

type load plan.Load

func (l load) Load(int) plan.Load { return plan.Load(l) }

// A job has time for what it has to send.
func TestTimeOfAJobFollowsFromWhatItSends(t *testing.T) {
	c := plan.Case{Timeout: 30 * time.Second, Conditions: netem.Conditions{Rate: 8 * netem.Mbit, Delay: 10 * time.Millisecond}}
	for _, test := range []struct {
		params any
		limit  time.Duration
	}{
		{nil, 30 * time.Second},
		{load{}, 30 * time.Second},
		{load{Bytes: 10e6}, 110 * time.Second}, // 10 s, and room for losses
		{load{Bytes: 10e6, Turns: 100, Time: 4 * time.Second}, 150 * time.Second},
	} {
		c.Params = test.params
		assert.Equal(t, test.limit, c.Limit(), "%v", test.params)
	}
	c.Timeout = time.Hour
	assert.Equal(t, time.Hour, c.Limit())
	c.Conditions = netem.Conditions{}
	c.Timeout = time.Second
	assert.Equal(t, 62*time.Second, c.Limit(), "no bound of the rate")
}
