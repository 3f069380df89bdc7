package interoptest

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/vishvananda/netlink"

	"github.com/sctpmpi/sctpmpi/internal/netem"
	"github.com/sctpmpi/sctpmpi/internal/netem/lab/labtest"
)

// Network makes a network, by netem.Dual for one, whose hosts are prepared for SCTP. It is
// there until the end of the test.
func Network(t testing.TB, build func() (*netem.Topology, error)) *netem.Topology {
	t.Helper()
	net, err := build()
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, net.Close()) })
	for i := range net.Hosts() {
		host := net.Host(i)
		t.Cleanup(func() { assert.NoError(t, host.Do(stopEncapsulation)) })
		require.NoError(t, host.Do(func() error { return errors.Join(labtest.PrepareSCTP(), limitGSO()) }))
	}
	return net
}

// limitGSO keeps the kernel from handing several SCTP packets at once to the devices of the
// calling thread's network namespace: Linux 6.1 cannot cut those that are in UDP, and drops
// them.
func limitGSO() error {
	const lessThanMTU = 1280
	links, err := netlink.LinkList()
	for _, l := range links {
		if l.Type() == "veth" {
			err = errors.Join(err, netlink.LinkSetGSOMaxSize(l, lessThanMTU))
		}
	}
	return err
}

// stopEncapsulation has the kernel close its UDP socket in the calling thread's namespace.
// Linux 6.1 leaves it behind when the namespace goes, in the way of a later one.
func stopEncapsulation() error { return labtest.SetSCTP("udp_port", 0) }

// CallByUDP makes the kernel's SCTP at a host call peers over UDP at a port, for all sockets of the
// host (RFC 6951).
func CallByUDP(t testing.TB, h *netem.Host, port uint16) {
	t.Helper()
	require.NoError(t, h.Do(func() error { return labtest.SetSCTP("encap_port", int(port)) }))
}

// Apply has all packets of a network meet conditions, in the notation of netem.Parse.
func Apply(t testing.TB, net *netem.Topology, conditions string) {
	t.Helper()
	c, err := netem.Parse(conditions)
	require.NoError(t, err)
	require.NoError(t, net.Apply(c))
}
