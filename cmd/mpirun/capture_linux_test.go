package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/internal/netem/lab/labtest"
)

// capturedTransport is the variable that tells the process of TestWhatACaptureOfAJobShows with a network of its own what to do.
const capturedTransport = "MPIRUN_TEST_CAPTURED_TRANSPORT"

// All packets of a job with a known payload are captured. With SCTPMPI_ENCRYPT=on they show nothing of it, and with off they show it, so
// that the search would find it. The device has the least MTU of IPv6: no packet is fragmented by IP.
func TestWhatACaptureOfAJobShows(t *testing.T) {
	if transport := os.Getenv(capturedTransport); transport != "" {
		captureJob(t, transport)
		return
	}
	for _, transport := range transports() {
		if transport == "sctp-kernel" {
			continue // a new namespace has it set up otherwise: see TestWhatACaptureShows in sctprpi/internal/interop/transport
		}
		for encrypt, readable := range map[string]bool{"on": false, "auth": true, "off": true} {
			t.Run(transport+"/"+encrypt, func(t *testing.T) {
				labtest.InNetwork(t, capturedTransport+"="+transport, "SCTPMPI_ENCRYPT="+encrypt, "SCTPMPI_SHM=off",
					fmt.Sprintf("MPIRUN_TEST_READABLE=%v", readable))
			})
		}
	}
}

// captureJob runs a job in the network of this process, and looks at its packets.
func captureJob(t *testing.T, transport string) {
	labtest.SetLoopback(t, 1280)
	stop := labtest.Capture(t)
	status, _, stderr := runMpirun(t, "-n", "2", "--transport", transport, "RANK", "known")
	packets := stop()
	require.Zero(t, status, stderr)
	readable, total := 0, 0
	for _, p := range packets {
		total += len(p)
		if p[0]>>4 == 4 {
			assert.Zero(t, binary.BigEndian.Uint16(p[6:])&^0x4000, "a fragment: % x", p[:20]) // but for the DF bit
		}
		if bytes.Contains(p, []byte(known[:8])) {
			readable++
		}
	}
	require.Greater(t, total, 100<<10, "of 2 MiB")
	if os.Getenv("MPIRUN_TEST_READABLE") == "true" {
		assert.NotZero(t, readable)
	} else {
		assert.Zero(t, readable, "packets can be read")
	}
}
