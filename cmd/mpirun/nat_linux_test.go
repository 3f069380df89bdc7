package main

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// natted is a network of two hosts, as network namespaces, and a router between them that translates addresses. Its address for the
// outer host is 192.0.2.1. Ports 8000 to 8003 there are 7000 to 7003 of the inner host, for both hosts. All that the inner host sends comes
// from the router, from ports that are chosen at random. Each port has a rule of its own: one for all of them would send a packet to
// another port if the two ends of its flow have talked already, from that random port (nf_nat_l4proto_unique_tuple in Linux).
const natted = `
set -e
outer=$1 router=$2 inner=$3
for n in $outer $router $inner; do ip netns add $n; ip -n $n link set lo up; done
ip link add eth0 netns $outer type veth peer name outside netns $router
ip link add eth0 netns $inner type veth peer name inside netns $router
ip -n $outer addr add 192.0.2.2/24 dev eth0
ip -n $router addr add 192.0.2.1/24 dev outside
ip -n $router addr add 10.0.0.1/24 dev inside
ip -n $inner addr add 10.0.0.2/24 dev eth0
for n in $outer $inner; do ip -n $n link set eth0 up; done
for l in outside inside; do ip -n $router link set $l up; done
ip -n $inner route add default via 10.0.0.1
in_router() { ip netns exec $router "$@"; }
in_router sysctl -qw net.ipv4.ip_forward=1
for p in udp tcp; do for i in 0 1 2 3; do
	in_router iptables -t nat -A PREROUTING -d 192.0.2.1 -p $p --dport 800$i -j DNAT --to-destination 10.0.0.2:700$i
done; done
in_router iptables -t nat -A POSTROUTING -o outside -j MASQUERADE --random
in_router iptables -t nat -A POSTROUTING -s 10.0.0.2 -d 10.0.0.2 -j MASQUERADE --random
`

// behindNAT makes the network. The remote shell sets what ranks behind the router publish, as the environment of ssh would.
func behindNAT(t *testing.T) (shell, outer, router, inner string) {
	t.Helper()
	t.Setenv("PATH", os.Getenv("PATH")+":/sbin:/usr/sbin")
	if os.Getuid() != 0 {
		t.Skip("needs root: to make network namespaces")
	}
	name := fmt.Sprintf("mpirun%d-", os.Getpid())
	outer, router, inner = name+"outer", name+"nat", name+"inner"
	t.Cleanup(func() {
		for _, n := range []string{outer, router, inner} {
			_ = exec.Command("ip", "netns", "del", n).Run()
		}
	})
	if text, err := exec.Command("sh", "-c", natted, "sh", outer, router, inner).CombinedOutput(); err != nil {
		t.Skipf("no translator of addresses can be set up here: %s", text)
	}
	return agent(t, "#!/bin/sh\nMPIRUN_TEST=mpirun\nexport MPIRUN_TEST\ncase $1 in *inner)\n"+
		"SCTPMPI_PUBLISH=192.0.2.1:8000 SCTPMPI_PORT_RANGE=7000-7003\nexport SCTPMPI_PUBLISH SCTPMPI_PORT_RANGE;;\nesac\n"+
		"exec ip netns exec \"$1\" sh -c \"$2\"\n"), outer, router, inner
}

// Ranks behind the kernel's own translator of addresses are reached at what they publish, by those before it and by each other, and
// reach those before it, also if both call at the same time: so it is with one rank on each side.
func TestRanksBehindNAT(t *testing.T) {
	shell, outer, router, inner := behindNAT(t)
	for _, transport := range transports() {
		if transport == "sctp-kernel" {
			continue // refuses to publish another address
		}
		t.Run(transport, func(t *testing.T) {
			for _, each := range []int{1, 2} {
				translated := connections(t, router)
				hosts := fmt.Sprintf("%s:%d,%s:%d", outer, each, inner, each)
				status, _, stderr := runMpirun(t, "--launch-agent", word(shell), "--host", hosts, "-n", strconv.Itoa(2*each), "--transport", transport,
					"-x", "SCTPMPI_INTERFACE=eth0", "-x", "SCTPMPI_SHM=off", "RANK", "ring")
				assert.Zero(t, status)
				assert.Empty(t, stderr)
				assert.Greater(t, connections(t, router), translated, "the job was to need the router")
			}
		})
	}
}

// connections is how many flows the router has translated: the rules count the first packet of each.
func connections(t *testing.T, router string) (n int) {
	t.Helper()
	text, err := exec.Command("ip", "netns", "exec", router, "iptables", "-t", "nat", "-vnxL").CombinedOutput()
	require.NoError(t, err, "%s", text)
	for line := range strings.Lines(string(text)) {
		if words := strings.Fields(line); len(words) > 2 && (words[2] == "DNAT" || words[2] == "MASQUERADE") {
			packets, err := strconv.Atoi(words[0])
			require.NoError(t, err, line)
			n += packets
		}
	}
	return n
}
