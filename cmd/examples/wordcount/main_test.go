package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

func TestWordCount(t *testing.T) {
	for text, want := range map[string]map[string]int{
		"":           {},
		"one":        {"one": 1},
		"…\n\n- ; -": {},
		"A rose is a rose,\nis a rose: is\nRose über 3 and 3.": {"a": 3, "rose": 4, "is": 3, "über": 1, "3": 2, "and": 1},
	} {
		for _, ranks := range []int{1, 2, 3, 5} {
			require.NoError(t, mpi.RunLocal(ranks, func(world *mpi.Comm) error {
				var lines []string
				if world.Rank() == 0 {
					var err error
					if lines, err = read(strings.NewReader(text)); err != nil {
						return err
					}
				}
				counts := count(world, lines)
				if world.Rank() == 0 {
					require.Equal(t, want, counts)
				}
				return nil
			}))
		}
	}
}
