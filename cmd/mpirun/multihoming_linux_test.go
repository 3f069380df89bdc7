package main

import (
	"bufio"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Hosts that are joined by two networks go on when one of these is lost, whichever it is: no message is.
func TestAJobGoesOnWhenANetworkIsLost(t *testing.T) {
	for _, c := range []struct{ transport, link string }{{"sctp-engine", "eth0"}, {"sctp-engine", "eth1"}, {"sctp-pertrc", "eth0"}} {
		t.Run(c.transport+"/"+c.link, func(t *testing.T) {
			shell, names := nodes(t, "10.77.0.%d/24")
			secondNetwork(t, names)
			m := command(t, "--launch-agent", word(shell), "--host", strings.Join(names, ","), "-n", "2", "--transport", c.transport,
				"-x", "SCTPMPI_INTERFACE=eth0,10.78.0.0/24", "RANK", "talk")
			in, err := m.StdinPipe()
			require.NoError(t, err)
			m.Stdout = nil
			out, err := m.StdoutPipe()
			require.NoError(t, err)
			require.NoError(t, m.Start())
			require.NoError(t, readUntilReady(bufio.NewReader(out), 1))
			inHost(t, names[1], "link", "set", c.link, "down")
			require.NoError(t, in.Close())
			assert.Zero(t, m.status(t), m.stderr.String())
			assert.Empty(t, m.stderr.String())
		})
	}
}

// secondNetwork joins two hosts by another network.
func secondNetwork(t *testing.T, names []string) {
	t.Helper()
	inHost(t, names[0], "link", "add", "name", "eth1", "type", "veth", "peer", "name", "eth1", "netns", names[1])
	for i, name := range names {
		inHost(t, name, "link", "set", "eth1", "up")
		inHost(t, name, "addr", "add", fmt.Sprintf("10.78.0.%d/24", i+1), "dev", "eth1")
	}
}

// inHost runs ip in a host.
func inHost(t *testing.T, name string, args ...string) {
	t.Helper()
	text, err := exec.Command("ip", append([]string{"-n", name}, args...)...).CombinedOutput()
	require.NoError(t, err, "ip %s: %s", strings.Join(args, " "), text)
}
