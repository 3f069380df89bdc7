package main

import (
	"os"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Where no network is up, ranks that share no memory say so, and do not wait for the connect timeout.
func TestAnUnreachableNetworkIsNamed(t *testing.T) {
	for _, transport := range transports() {
		if transport == "sctp-kernel" {
			continue // a new namespace has it set up otherwise
		}
		t.Run(transport, func(t *testing.T) {
			m := command(t, "-n", "2", "--transport", transport, "-x", "SCTPMPI_SHM=off", "-x", "SCTPMPI_CONNECT_TIMEOUT=1h", "RANK", "ring")
			m.SysProcAttr = &syscall.SysProcAttr{
				Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET, // which has lo, down
				UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
				GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
			}
			if err := m.Start(); err != nil {
				t.Skipf("a network of its own is not permitted to this user: %v", err)
			}
			require.NotZero(t, m.status(t))
			assert.Contains(t, m.stderr.String(), "network is unreachable; this host has no way there")
			assert.NotContains(t, m.stderr.String(), "no firewall is between")
		})
	}
}
