package process

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCountsThatCannotWorkAreRefusedWithTheReason(t *testing.T) {
	for _, test := range []struct {
		what resource
		most int
		why  string
	}{
		{descriptors(1024), 232, "cannot start 233 ranks: mpirun needs 1028 open files for them, and may have 1024, " +
			"so there can be 232 at most; raise the hard limit (ulimit -Hn)"},
		{descriptors(10), 0, "cannot start 1 ranks: mpirun needs 100 open files for them, and may have 10, " +
			"so there can be 0 at most; raise the hard limit (ulimit -Hn)"},
		{tasks(21, "/proc/sys/kernel/pid_max"), 10, "cannot start 11 ranks: that takes 22 processes and threads, and " +
			"/proc/sys/kernel/pid_max leaves 21, so there can be 10 at most; raise it"},
		{memory(1 << 20), 4, "cannot start 5 ranks: that takes 1280 KiB of memory at the very least, and 1024 are left, " +
			"so there can be 4 at most; programs need more"},
	} {
		require.NoError(t, check(test.most, 0, []resource{test.what}))
		require.EqualError(t, check(test.most+1, 0, []resource{test.what}), test.why)
	}
}

func TestRemoteShellsCountAsRanks(t *testing.T) {
	assert.EqualError(t, check(1, 232, []resource{descriptors(1024)}), "cannot start 1 ranks here and 232 remote shells: mpirun needs 1028 open files "+
		"for them, and may have 1024, so there can be 232 at most; raise the hard limit (ulimit -Hn)")
}

func TestTheTightestLimitSaysHowManyRanksThereCanBe(t *testing.T) {
	assert.EqualValues(t, 4, most([]resource{descriptors(1024), memory(1 << 20), tasks(21, "/proc/sys/kernel/pid_max")}))
	assert.Positive(t, Most())
}

func TestNothingBoundsWhatHasNoLimit(t *testing.T) {
	require.NoError(t, check(1<<24, 0, []resource{descriptors(unlimited), tasks(unlimited, ""), memory(unlimited)}))
}

func TestThisHostHasRoomForAFewRanks(t *testing.T) {
	assert.NoError(t, Check(2))
}
