package window

import (
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// Nor does one whose parent has not taken notice of its end yet.
func TestAProcessThatHasNotBeenWaitedForIsDead(t *testing.T) {
	dead := exec.Command(os.Args[0], "-test.run=^$")
	require.NoError(t, dead.Start())
	require.NoError(t, unix.Waitid(unix.P_PID, dead.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil))
	require.False(t, lives(uint32(dead.Process.Pid)))
	require.NoError(t, dead.Wait())
	require.True(t, lives(ownProcess))
}
