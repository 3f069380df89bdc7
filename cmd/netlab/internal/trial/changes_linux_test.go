package trial

import (
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
	"github.com/sctpmpi/sctpmpi/internal/netem"
	"github.com/sctpmpi/sctpmpi/internal/netem/lab/labtest"
)

// What hosts send meets conditions of its own, which a calm case has only when its work has begun, and the next job not at all.
func TestCalmNetworkReordersOnceTheWorkHasBegun(t *testing.T) {
	labtest.InLab(t)
	n, err := netem.Star(2)
	require.NoError(t, err)
	defer n.Close()
	s := NewSite(Programs{})
	sent := func() string {
		var text []byte
		require.NoError(t, n.Host(1).Do(func() (err error) {
			text, err = exec.Command("tc", "qdisc", "show", "dev", "eth0").Output()
			return err
		}))
		return string(text)
	}
	c := plan.Case{
		Conditions: netem.Conditions{Delay: time.Millisecond, Loss: 1}, Sent: netem.Conditions{Delay: 5 * time.Millisecond, Reorder: 75}, Calm: true,
	}
	changes, err := s.changes(t.Context(), n, &c)
	require.NoError(t, err)
	assert.NotContains(t, sent(), "netem")
	changes.begin()
	changes.work.Wait()
	require.NoError(t, changes.end())
	assert.Contains(t, sent(), "delay 5ms reorder 75%")
	changes, err = s.changes(t.Context(), n, &plan.Case{})
	require.NoError(t, err)
	require.NoError(t, changes.end())
	assert.NotContains(t, sent(), "netem")
}
