//go:build !race

package main

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/internal/npb/kernels"
	"github.com/sctpmpi/sctpmpi/cmd/internal/npb/nas"
	"github.com/sctpmpi/sctpmpi/internal/netem/lab/labtest"
	"github.com/sctpmpi/sctpmpi/mpi"
)

func TestMain(m *testing.M) { labtest.Run(m) }

// TestPublishedValues runs each kernel in class S, and with SCTPMPI_TEST_LONG in class W, on numbers of ranks that it can
// run on.
func TestPublishedValues(t *testing.T) {
	classes := []nas.Class{'S'}
	if os.Getenv("SCTPMPI_TEST_LONG") != "" {
		classes = append(classes, 'W')
	}
	t.Setenv("SCTPMPI_SHM", "off")
	for _, k := range kernels.All {
		for _, class := range classes {
			for transport, numbers := range map[string][]int{
				"tcp-perpair": {1, 2, 4, 8, 9}, "sctp-engine": {1, 2, 4, 8, 9}, "tcp-pertrc": {1, 4, 8, 9}, "sctp-pertrc": {1, 4, 8, 9},
			} {
				for _, ranks := range numbers {
					if k.Ranks(ranks) != nil {
						continue
					}
					t.Run(fmt.Sprintf("%s %v over %s, %d ranks", k.Name, class, transport, ranks), func(t *testing.T) {
						verify(t, k, class, ranks, mpi.WithTransport(transport))
					})
				}
			}
		}
	}
}

// The flow of a fluid, in its three forms, over the kernel's SCTP: on 4 ranks, and with SCTPMPI_TEST_LONG on others too.
func TestPublishedValuesOverKernelSCTP(t *testing.T) {
	labtest.InLab(t)
	t.Setenv("SCTPMPI_SHM", "off")
	numbers := []int{4}
	if os.Getenv("SCTPMPI_TEST_LONG") != "" {
		numbers = append(numbers, 1, 8, 9)
	}
	for _, name := range []string{"lu", "bt", "sp"} {
		k, err := kernels.Find(name)
		require.NoError(t, err)
		for _, ranks := range numbers {
			if k.Ranks(ranks) != nil {
				continue
			}
			t.Run(fmt.Sprintf("%s, %d ranks", k.Name, ranks), func(t *testing.T) {
				verify(t, k, 'S', ranks, mpi.WithTransport("sctp-kernel"))
			})
		}
	}
}

// verify runs a kernel, and checks its values.
func verify(t testing.TB, k nas.Kernel, class nas.Class, ranks int, options ...mpi.Option) (result nas.Result) {
	require.NoError(t, mpi.RunLocal(ranks, func(world *mpi.Comm) error {
		r, err := k.Run(world, class)
		assert.True(t, r.Verified(), "rank %d: %+v", world.Rank(), r.Checks)
		if world.Rank() == 0 {
			result = r
		}
		return err
	}, options...))
	return result
}

// BenchmarkClassA runs each kernel once or more in class A, on as many ranks as it runs on.
func BenchmarkClassA(b *testing.B) {
	for _, k := range kernels.All {
		for _, ranks := range []int{1, 2, 4} {
			b.Run(fmt.Sprintf("%s/%d", k.Name, ranks), func(b *testing.B) {
				for b.Loop() {
					b.ReportMetric(verify(b, k, 'A', ranks).Mops(), "Mop/s")
				}
			})
		}
	}
}
