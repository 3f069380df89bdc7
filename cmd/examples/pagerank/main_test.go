package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// Whichever ranks die, and whenever, those that are left have the result of one rank alone, up to rounding.
func TestPagerank(t *testing.T) {
	const pages, ranks = 300, 5
	died := errors.New("died")
	var alone []float64
	require.NoError(t, mpi.RunLocal(1, func(world *mpi.Comm) (err error) {
		_, alone, err = pagerank(world, pages, nil)
		return err
	}))
	sum := 0.0
	for _, often := range alone {
		sum += often
	}
	require.InDelta(t, 1, sum, 1e-9)
	for _, lastSteps := range []map[int]int{{}, {2: 1}, {0: 3, 1: 3}, {4: 2, 0: 9, 3: 5, 2: 9}} {
		err := mpi.RunLocal(ranks, func(world *mpi.Comm) error {
			left, seen, err := pagerank(world, pages, func(step int) error {
				if step == lastSteps[world.Rank()] {
					return died
				}
				return nil
			})
			if err != nil {
				return err
			}
			require.Equal(t, ranks-len(lastSteps), left.Size())
			require.InDeltaSlice(t, alone, seen, 1e-9)
			return nil
		})
		if err == nil {
			require.Empty(t, lastSteps)
			continue
		}
		for _, e := range err.(interface{ Unwrap() []error }).Unwrap() {
			require.ErrorIs(t, e, died)
		}
	}
}

func TestPagerankGoesOnWhenARankIsKilled(t *testing.T) {
	dir := t.TempDir()
	out, err := exec.Command("go", "build", "-o", dir, ".", "../../mpirun").CombinedOutput()
	require.NoError(t, err, "%s", out)
	run := func(args ...string) string {
		m := exec.CommandContext(t.Context(), filepath.Join(dir, "mpirun"), append([]string{"--keep-going", "-n", "4", filepath.Join(dir, "pagerank")}, args...)...)
		m.Stderr = os.Stderr
		out, err := m.Output()
		require.NoError(t, err)
		return string(out)
	}
	whole := run()
	require.Contains(t, whole, "2000 pages on 4 ranks, 4 in the end: ")
	for _, rank := range []string{"0", "3"} {
		require.Equal(t, regexp.MustCompile("4 in the end").ReplaceAllString(whole, "3 in the end"), run("-kill", rank))
	}
}
