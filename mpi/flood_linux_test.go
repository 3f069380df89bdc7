//go:build !race

package mpi_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

const (
	floodLimit    = 16 << 20 // bytes of unexpected messages in each process
	floodMessages = 300      // from each to each
	floodSize     = 60 << 10
	floodRanks    = 8
	floodFewRanks = 4 // in short tests, and over slow carriers, with 53 MB to each
	// floodSlack is what a process may take beside its limit: as much again for
	// the garbage collector, which lets the heap double, and for the requests,
	// buffers of associations and the program itself.
	floodSlack = floodLimit + 16<<20
	// floodLossSlack is for what has arrived behind lost packets. The engine holds up to
	// 8 MiB of that for each peer; 5 MiB in all have been seen beyond floodSlack.
	floodLossSlack = 16 << 20
)

func init() {
	// Every rank floods every other with messages. They are received only after
	// all ranks have said that they are done.
	programs["flood"] = func(world *mpi.Comm) error {
		before, err := peakMemory()
		if err != nil {
			return err
		}
		body := make([]byte, floodSize) // which all messages share, as only receivers are to be measured
		body[0], body[floodSize-1] = byte(world.Rank()), byte(world.Rank())
		var sends []*mpi.Request
		peers := func(do func(peer int) error) error {
			for step := 1; step < world.Size(); step++ {
				if err := do((world.Rank() + step) % world.Size()); err != nil {
					return err
				}
			}
			return nil
		}
		for tag := range floodMessages {
			err := peers(func(peer int) error {
				r, err := mpi.Isend(world, body, peer, tag)
				sends = append(sends, r)
				return err
			})
			if err != nil {
				return err
			}
		}
		if err := world.Barrier(); err != nil {
			return err
		}
		flooded, err := peakMemory()
		if err != nil {
			return err
		}
		buf := make([]byte, floodSize)
		for tag := floodMessages - 1; tag >= 0; tag-- { // the last tags first
			err := peers(func(peer int) error {
				s, err := mpi.Recv(world, buf, peer, tag)
				if err == nil && (s.Bytes != floodSize || buf[0] != byte(peer) || buf[floodSize-1] != byte(peer)) {
					err = fmt.Errorf("message %d of rank %d is damaged", tag, peer)
				}
				return err
			})
			if err != nil {
				return err
			}
		}
		if _, err := mpi.WaitAll(context.Background(), sends...); err != nil {
			return err
		}
		after, err := peakMemory()
		fmt.Printf("%d %d %d\n", before, flooded, after)
		return err
	}
}

// peakMemory returns the most resident memory, in bytes, that the process has had.
func peakMemory() (bytes int, err error) {
	status, err := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(status)) {
		if _, err := fmt.Sscanf(line, "VmHWM: %d kB", &bytes); err == nil {
			return bytes << 10, nil
		}
	}
	return 0, errors.Join(err, errors.New("/proc/self/status does not tell the peak"))
}

// A process that is flooded holds what its limit allows, and nothing is lost.
func TestFloodIsHeldAtTheLimit(t *testing.T) {
	for _, c := range carriers {
		c.run(t, func(t *testing.T, transport string) {
			n, slack := floodFewRanks, floodSlack
			if long() && !c.slow {
				n = floodRanks
			}
			if c.impaired {
				slack += floodLossSlack
			}
			ranks, aborts := launch(t, "flood", n, "SCTPMPI_TRANSPORT="+transport,
				fmt.Sprintf("SCTPMPI_UNEXPECTED_LIMIT=%d", floodLimit))
			require.Empty(t, aborts)
			most := 0
			for rank, r := range ranks {
				require.False(t, r.failed, "rank %d: %s", rank, r.stderr)
				var before, flooded, after int
				_, err := fmt.Sscan(r.stdout, &before, &flooded, &after)
				require.NoError(t, err)
				assert.Less(t, after-before, floodLimit+slack, "rank %d", rank)
				most = max(most, after-before)
			}
			flood := (n - 1) * floodMessages * floodSize
			t.Logf("%d ranks, %d MiB to each with a limit of %d MiB: at most %d MiB more than before the flood",
				n, flood>>20, floodLimit>>20, most>>20)
		})
	}
}
