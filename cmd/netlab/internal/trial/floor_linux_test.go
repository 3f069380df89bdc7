package trial

import (
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/internal/netem"
	"github.com/sctpmpi/sctpmpi/internal/netem/lab/labtest"
)

func TestFloorOfTimeoutsIsSetAndTakenBack(t *testing.T) {
	labtest.InLab(t)
	n, err := netem.Star(2)
	require.NoError(t, err)
	defer n.Close()
	s := NewSite(Programs{})
	routes := func() string {
		var text []byte
		require.NoError(t, n.Host(1).Do(func() (err error) {
			text, err = exec.Command("ip", "route").Output()
			return err
		}))
		return string(text)
	}
	before := routes()
	require.NoError(t, s.setFloor(n, 50*time.Millisecond))
	assert.Contains(t, routes(), "rto_min lock 50ms")
	require.NoError(t, s.setFloor(n, 0))
	assert.Equal(t, before, routes())
}
