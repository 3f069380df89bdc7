package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"net"
	"os"
	"os/exec"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
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
			continue // a new namespace has it set up otherwise
		}
		for encrypt, readable := range map[string]bool{"on": false, "auth": true, "off": true} {
			t.Run(transport+"/"+encrypt, func(t *testing.T) {
				self := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+"TestWhatACaptureOfAJobShows"+"$", "-test.v")
				self.Env = append(os.Environ(), capturedTransport+"="+transport, "SCTPMPI_ENCRYPT="+encrypt, "SCTPMPI_SHM=off",
					fmt.Sprintf("MPIRUN_TEST_READABLE=%v", readable))
				self.SysProcAttr = &syscall.SysProcAttr{
					Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET,
					UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
					GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
				}
				out, err := self.CombinedOutput()
				if self.Process == nil {
					t.Skipf("not run: making a network namespace is not allowed: %v", err)
				}
				require.NoError(t, err, "%s", out)
			})
		}
	}
}

// captureJob runs a job in the network of this process, and looks at its packets.
func captureJob(t *testing.T, transport string) {
	const mtu = 1280
	lo := setUpLoopback(t, mtu)
	fd, err := unix.Socket(unix.AF_PACKET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	require.NoError(t, err)
	defer unix.Close(fd)
	_ = unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_RCVBUF, 64<<20) // as much as there may be
	timeout := unix.Timeval{Usec: 100_000}
	require.NoError(t, unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &timeout))
	all := binary.NativeEndian.Uint16([]byte{0, unix.ETH_P_ALL}) // in network byte order
	require.NoError(t, unix.Bind(fd, &unix.SockaddrLinklayer{Protocol: all, Ifindex: lo}))

	ended, packets := make(chan struct{}), make(chan [][]byte)
	go func() { packets <- capture(fd, ended) }()
	status, _, stderr := runMpirun(t, "-n", "2", "--transport", transport, "RANK", "known")
	close(ended)
	require.Zero(t, status, stderr)
	readable, total := 0, 0
	for _, p := range <-packets {
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

// capture returns packets, from their IP headers on, until the job has ended and no more come.
func capture(fd int, ended <-chan struct{}) (packets [][]byte) {
	b := make([]byte, 1<<17)
	for last := false; ; {
		n, _, err := unix.Recvfrom(fd, b, 0)
		switch {
		case err == nil && n > 20:
			packets = append(packets, bytes.Clone(b[:n]))
		case err == unix.EAGAIN && last:
			return packets
		case err == unix.EAGAIN:
			select {
			case <-ended:
				last = true
			default:
			}
		}
	}
}

// setUpLoopback gives the loopback device an MTU, brings it up, and returns its index.
func setUpLoopback(t *testing.T, mtu uint32) (index int) {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	require.NoError(t, err)
	defer unix.Close(fd)
	lo, err := unix.NewIfreq("lo")
	require.NoError(t, err)
	lo.SetUint32(mtu)
	require.NoError(t, unix.IoctlIfreq(fd, unix.SIOCSIFMTU, lo))
	lo.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	require.NoError(t, unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, lo))
	device, err := net.InterfaceByName("lo")
	require.NoError(t, err)
	return device.Index
}
