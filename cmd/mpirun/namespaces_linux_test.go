package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// nodes makes two network namespaces that stand for hosts, n1 and n2, with an address each on a network between them, and on
// another one that joins nothing. It returns a remote shell that reaches them.
func nodes(t *testing.T, address string) (shell string, names []string) {
	t.Helper()
	t.Setenv("PATH", os.Getenv("PATH")+":/sbin:/usr/sbin")
	if os.Getuid() != 0 {
		t.Skip("needs root: to make network namespaces")
	}
	if _, err := exec.LookPath("ip"); err != nil {
		t.Skip("there is no ip")
	}
	ip := func(args ...string) {
		text, err := exec.Command("ip", args...).CombinedOutput()
		require.NoError(t, err, "ip %s: %s", strings.Join(args, " "), text)
	}
	for i := range 2 {
		name := fmt.Sprintf("mpirun%d-%d", os.Getpid(), i+1)
		if text, err := exec.Command("ip", "netns", "add", name).CombinedOutput(); err != nil {
			t.Skipf("network namespaces are not permitted: %s", text)
		}
		t.Cleanup(func() { ip("netns", "del", name) })
		names = append(names, name)
	}
	ip("link", "add", "name", "eth0", "netns", names[0], "type", "veth", "peer", "name", "eth0", "netns", names[1])
	for i, name := range names {
		in := func(args ...string) { ip(append([]string{"-n", name}, args...)...) }
		in("link", "set", "lo", "up")
		in("link", "set", "eth0", "up")
		in("addr", "add", fmt.Sprintf(address, i+1), "dev", "eth0", "nodad")
		in("link", "add", "name", "blind", "type", "veth", "peer", "name", "end") // reaches no other host
		in("link", "set", "blind", "up")
		in("addr", "add", fmt.Sprintf("198.51.100.%d/24", i+1), "dev", "blind")
	}
	return agent(t, "#!/bin/sh\nMPIRUN_TEST=mpirun\nexport MPIRUN_TEST\nexec ip netns exec \"$1\" sh -c \"$2\"\n"), names
}

// Ranks of several hosts reach each other over the network between these, also where the hosts have other networks.
func TestRanksReachEachOtherOverANetwork(t *testing.T) {
	for _, network := range []struct {
		name, address, choice string
		transports            []string
	}{
		{"IPv4", "10.77.0.%d/24", "10.77.0.0/24", transports()},
		{"IPv6", "fd77::%d/64", "fd77::/64", []string{"sctp-engine", "tcp-perpair"}},
		{"interface", "10.77.0.%d/24", "eth0", []string{"sctp-engine", "tcp-perpair"}},
		{"several", "10.77.0.%d/24", "eth0,blind", []string{"sctp-engine", "tcp-perpair"}},
		{"several, the first of them blind", "10.77.0.%d/24", "blind,eth0", []string{"sctp-engine"}},
	} {
		t.Run(network.name, func(t *testing.T) {
			shell, names := nodes(t, network.address)
			hosts := names[0] + ":2," + names[1] + ":2"
			for _, transport := range network.transports {
				if transport == "sctp-kernel" {
					continue // a new namespace has it set up otherwise
				}
				status, _, stderr := runMpirun(t, "--launch-agent", word(shell), "--host", hosts, "-n", "4", "--transport", transport,
					"-x", "SCTPMPI_INTERFACE="+network.choice, "RANK", "ring")
				require.Zero(t, status, stderr)
				assert.Empty(t, stderr)
			}
		})
	}
}

// Without a choice ranks bind to the first address that other hosts might reach.
func TestRanksOfSeveralHostsDoNotUseLoopback(t *testing.T) {
	shell, names := nodes(t, "10.77.0.%d/24")
	for _, name := range names {
		require.NoError(t, exec.Command("ip", "-n", name, "link", "del", "blind").Run())
	}
	status, _, stderr := runMpirun(t, "--launch-agent", word(shell), "--host", strings.Join(names, ","), "-n", "2",
		"--transport", "sctp-engine", "RANK", "ring")
	require.Zero(t, status, stderr)
	assert.Empty(t, stderr)
}
