//go:build !race && linux

package foreign

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/internal/netem"
	"github.com/sctpmpi/sctpmpi/internal/netem/lab/labtest"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/interop/interoptest"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// stacks are ours, and by which UDP port each finds the kernel's at another host, 0 for
// IP.
var stacks = []struct {
	name string
	make interoptest.Stack
	udp  uint16
}{
	{"engine", interoptest.Engine, labtest.UDPPort},
	{"kernel", interoptest.KernelOverIP, 0},
}

// whole has messages delivered in one piece: unordered ones may mix.
var whole = socket.Config{WholeMessages: true}

// theirPort is the SCTP port of programs that wait to be called.
const theirPort = 5000

// setting is two hosts, ours and that of foreign programs.
type setting struct {
	*testing.T
	ours, theirs *netem.Host
	us           *interoptest.Peer
	address      []string // of us, as the options -h and -p
	there        socket.Addr
}

// eachStack runs a test with each of our stacks.
func eachStack(t *testing.T, test func(s *setting)) {
	labtest.InLab(t)
	for _, stack := range stacks {
		t.Run(stack.name, func(t *testing.T) {
			net := interoptest.Network(t, func() (*netem.Topology, error) { return netem.Star(2) })
			s := &setting{T: t, ours: net.Host(0), theirs: net.Host(1)}
			s.us = interoptest.PeerAt(t, s.ours, stack.make, whole, interoptest.Local{}, 0)
			at := s.us.LocalAddrs()[0]
			interoptest.CallByUDP(t, s.theirs, at.UDP)
			s.address = []string{"-h", at.IP.String(), "-p", strconv.Itoa(int(at.Port))}
			s.there = socket.Addr{IP: s.theirs.Addr(0), Port: theirPort, UDP: stack.udp}
			test(s)
		})
	}
}

// start starts a program of lksctp-tools at their host.
func (s *setting) start(name string, port int, args ...string) *program {
	s.Helper()
	need(s, name, "lksctp-tools")
	args = append([]string{"-H", s.theirs.Addr(0).String(), "-P", strconv.Itoa(port)}, args...)
	return start(s, s.theirs, name, args...)
}

// untilEnd waits for the end of our association, which is to be of a kind.
func (s *setting) untilEnd(kind socket.Kind) {
	s.Helper()
	s.us.Until("the end", func() bool { return s.us.End != nil })
	require.Equal(s, kind, s.us.End.Kind, "%v", s.us.End.Err)
}
