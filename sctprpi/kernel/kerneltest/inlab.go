package kerneltest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/netem/lab"
	"github.com/sctpmpi/sctpmpi/netem/lab/labtest"
)

// Run is for a TestMain of a package of which only some tests are for the kernel's SCTP: those that call InLab. They run
// after the others, as labtest has it, also where the host's own kernel has SCTP.
func Run(m *testing.M) { labtest.Run(m) }

// Inside reports whether this process runs in the lab.
func Inside() bool { return lab.Inside() }

// InLab ends a test that is not in the lab, and has it run there later on. There it sets the kernel as Main does.
func InLab(tb testing.TB) {
	tb.Helper()
	labtest.InLab(tb)
	require.NoError(tb, prepare())
}
