package main

import (
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/internal/netem/lab/labtest"
)

// On a host that has no IPv4 the loopback address is ::1.
func TestHostWithIPv6Only(t *testing.T) {
	t.Setenv("PATH", os.Getenv("PATH")+":/sbin:/usr/sbin")
	for _, transport := range transports() {
		if transport == "sctp-kernel" {
			continue // a new namespace has it set up otherwise
		}
		m := command(t)
		m.Path = "/bin/sh"
		m.Args = []string{"sh", "-c", `ip link set lo up && ip addr del 127.0.0.1/8 dev lo && ip addr add ::1/128 dev lo 2>/dev/null
			ip addr show lo | grep -q "inet6 ::1" || exit 99
			exec "$0" -n 3 --transport "$1" "$0" barrier`, os.Args[0], transport}
		m.SysProcAttr = labtest.OwnNetwork()
		if _, err := exec.LookPath("ip"); err != nil {
			t.Skip("there is no ip")
		}
		if err := m.Start(); err != nil {
			t.Skipf("namespaces are not permitted: %v", err)
		}
		status := m.status(t)
		if status == 99 {
			t.Skip("there is no IPv6")
		}
		require.Zero(t, status, m.stderr.String())
		assert.Empty(t, m.stderr.String())
	}
}
