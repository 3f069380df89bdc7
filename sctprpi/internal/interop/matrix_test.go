//go:build !race && linux

package interop

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/internal/netem"
	"github.com/sctpmpi/sctpmpi/internal/netem/lab/labtest"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/capture"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/interop/interoptest"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// cells are what each stack must be able to do with the other, begun by either.
var cells = []struct {
	name string
	run  func(s *setting)
}{
	{"handshake", handshake},
	{"streams", streams},
	{"streams_under_loss", streamsUnderLoss},
	{"begin_and_end_under_loss", beginAndEndUnderLoss},
	{"heartbeat", heartbeat},
	{"failover", failover},
	{"silence_of_caller", silenceOfCaller},
	{"silence_of_called", silenceOfCalled},
	{"restart_of_caller", restartOfCaller},
	{"restart_of_called", restartOfCalled},
	{"shutdown_by_caller", shutdownByCaller},
	{"shutdown_by_called", shutdownByCalled},
	{"abort_by_caller", abortByCaller},
	{"abort_by_called", abortByCalled},
	{"interleaving", interleaving},
	{"ecn", ecn},
}

func TestMatrix(t *testing.T) {
	labtest.InLab(t)
	path := filepath.Join(t.TempDir(), "matrix.pcapng")
	w, err := capture.Create(path, capture.Config{})
	require.NoError(t, err)
	for _, pair := range pairs {
		t.Run(pair.name, func(t *testing.T) {
			for _, cell := range cells {
				t.Run(cell.name, func(t *testing.T) { cell.run(newSetting(t, pair, w)) })
			}
		})
	}
	require.NoError(t, w.Close())
	t.Run("capture", func(t *testing.T) { requireDecoded(t, path) })
}

// setting is two hosts with two links, for one cell.
type setting struct {
	*testing.T
	pair
	net     *netem.Topology
	capture *capture.Writer
}

func newSetting(t *testing.T, p pair, w *capture.Writer) *setting {
	return &setting{t, p, interoptest.Network(t, netem.Dual), w}
}

// joined makes two peers that are reached over links, and an association between them.
func (s *setting) joined(c socket.Config, links ...int) (caller, called *interoptest.Peer) {
	s.Helper()
	caller = s.peer(0, s.caller, c, interoptest.Local{}, links...)
	called = s.peer(1, s.called, c, interoptest.Local{}, links...)
	interoptest.Join(caller, called)
	return caller, called
}

// peer makes a peer at a host.
func (s *setting) peer(host int, stack interoptest.Stack, c socket.Config, l interoptest.Local, links ...int) *interoptest.Peer {
	s.Helper()
	l.Capture = s.capture
	return interoptest.PeerAt(s, s.net.Host(host), stack, c, l, links...)
}

// impair has all packets meet conditions.
func (s *setting) impair(conditions string) {
	s.Helper()
	interoptest.Apply(s, s.net, conditions)
}

// link has all packets of a link meet conditions.
func (s *setting) link(number int, conditions string) error {
	c, err := netem.Parse(conditions)
	for i := range s.net.Hosts() {
		err = errors.Join(err, s.net.Host(i).Link(number).Apply(c))
	}
	return err
}
