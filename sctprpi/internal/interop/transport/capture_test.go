//go:build !race && linux

package transport

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/internal/netem/lab/labtest"
	"github.com/sctpmpi/sctpmpi/mpi"
	"github.com/sctpmpi/sctpmpi/sctprpi"
)

// All packets of a job over the kernel's SCTP, whose payload is known, are captured. With SCTPMPI_ENCRYPT=on they show nothing of it.
// With auth and off they show it, so that the search would find it.
func TestWhatACaptureShows(t *testing.T) {
	labtest.InLab(t)
	const known = "a payload that is known "
	for encrypt, readable := range map[string]bool{"on": false, "auth": true, "off": true} {
		t.Run(encrypt, func(t *testing.T) {
			t.Setenv("SCTPMPI_ENCRYPT", encrypt)
			stop := labtest.Capture(t)
			err := mpi.RunLocal(2, func(world *mpi.Comm) error {
				for _, length := range []int{len(known), 3_000, 1 << 20} {
					sent := []byte(strings.Repeat(known, 1+length/len(known))[:length])
					got, peer := make([]byte, length), 1-world.Rank()
					if _, err := mpi.Sendrecv(world, sent, peer, 0, got, peer, 0); err != nil {
						return err
					}
					assert.Equal(t, sent, got)
				}
				return nil
			}, mpi.WithTransport(sctprpi.KernelName), mpi.WithSharedMemory("off"))
			packets := stop()
			require.NoError(t, err)
			found, total := 0, 0
			for _, p := range packets {
				total += len(p)
				if bytes.Contains(p, []byte(known[:8])) {
					found++
				}
			}
			require.Greater(t, total, 2<<20)
			assert.Equal(t, readable, found > 0, "%d of %d packets show it", found, len(packets))
		})
	}
}
