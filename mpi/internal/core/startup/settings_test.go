package startup

import (
	"bytes"
	"log/slog"
	"net/netip"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/seal"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func environment(settings ...string) func(string) string {
	return func(name string) string {
		for _, setting := range settings {
			if value, found := strings.CutPrefix(setting, name+"="); found {
				return value
			}
		}
		return ""
	}
}

func TestSettingsFromTheEnvironment(t *testing.T) {
	s, err := NewSettings("mpi.Init", environment(
		"SCTPMPI_TRANSPORT=tcp-perpair", "SCTPMPI_EAGER_LIMIT=1000", "SCTPMPI_UNEXPECTED_LIMIT=2000", "SCTPMPI_CONNECT=eager",
		"SCTPMPI_CONNECT_TIMEOUT=1m30s", "SCTPMPI_PEER_TIMEOUT=2m", "SCTPMPI_FINALIZE_TIMEOUT=3m", "SCTPMPI_INTERFACE=127.0.0.1", "SCTPMPI_PORT_RANGE=7000-7063",
		"SCTPMPI_JOB_TOKEN=000102030405060708090a0b0c0d0e0f", "SCTPMPI_PROGRESS=inline", "SCTPMPI_SPIN=20us", "SCTPMPI_SHM=off", "SCTPMPI_DEBUG=1", "SCTPMPI_ENCRYPT=auth", "SCTPMPI_REPRODUCIBLE=0",
	), find)
	require.NoError(t, err)
	s.Find = nil // functions cannot be compared
	require.Equal(t, &Settings{
		Transport: "tcp-perpair", EagerLimit: 1000, UnexpectedLimit: 2000, ConnectEagerly: true, ConnectTimeout: 90 * time.Second,
		PeerTimeout: 2 * time.Minute, FinalizeTimeout: 3 * time.Minute,
		Bind: []netip.Addr{netip.MustParseAddr("127.0.0.1")}, PortLow: 7000, PortHigh: 7063,
		Token:    []byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
		Progress: rpi.Inline, Spin: 20 * time.Microsecond, SharedMemory: "off", Debug: true, Regroup: true, Encrypt: seal.AlwaysAuth,
	}, s)
}

func TestMoreRanksThanProcessorsAreOversubscribed(t *testing.T) {
	for _, c := range []struct {
		processors, ranks int
		asked, spin       time.Duration
		oversubscribed    bool
	}{
		{processors: 2, ranks: 2},
		{processors: 2, ranks: 3, oversubscribed: true},
		{processors: 1, ranks: 1},
		{processors: 1, ranks: 2, oversubscribed: true, spin: Never},
		{processors: 1, ranks: 2, oversubscribed: true, asked: time.Millisecond, spin: time.Millisecond},
	} {
		s := &Settings{Spin: c.asked}
		s.SetOversubscription(c.ranks, c.processors)
		require.Equal(t, c.oversubscribed, s.Oversubscribed, "%+v", c)
		require.Equal(t, c.spin, s.Spin, "%+v", c)
	}
}

// A rank started by mpirun has its share of the processors as GOMAXPROCS. All ranks of the host may use more.
func TestProcessorsOfTheHostAreMoreThanTheShareOfARank(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	for value, processors := range map[string]int{"": 3, "16": 16, "1": 1, "0": 3, "many": 3} {
		t.Setenv("SCTPMPI_LOCAL_PROCESSORS", value)
		require.Equal(t, processors, LocalProcessors(), value)
	}
}

func TestDebugWritesALineWithTheRank(t *testing.T) {
	var out strings.Builder
	require.Nil(t, new(Settings).Explain(3), "it is off")
	require.NotNil(t, (&Settings{Debug: true}).Explain(3))
	lineTo(&out, 3)("peer %d: %s", 7, "another user")
	require.Equal(t, "mpi: rank 3: peer 7: another user\n", out.String())
}

// A program's logger gets what is otherwise said on standard error, at the level that it wants.
func TestLogger(t *testing.T) {
	var out strings.Builder
	without := func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}
	for level, want := range map[slog.Level]string{
		slog.LevelWarn:  "level=WARN msg=\"peer 7: another port\" rank=3\nlevel=WARN msg=\"there is no variable SCTPMPI_X; mpirun --help lists those that there are\"\n",
		slog.LevelDebug: "level=WARN msg=\"peer 7: another port\" rank=3\nlevel=DEBUG msg=\"peer 8: another user\" rank=3\nlevel=WARN msg=\"there is no variable SCTPMPI_X; mpirun --help lists those that there are\"\n",
	} {
		out.Reset()
		s := new(Settings)
		require.Error(t, s.SetLogger(nil))
		require.NoError(t, s.SetLogger(slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: level, ReplaceAttr: without}))))
		s.Notice(3)("peer %d: another port", 7)
		s.Explain(3)("peer %d: another user", 8)
		s.warnMistaken(nil, []string{"SCTPMPI_X=1"})
		require.Equal(t, want, out.String())
	}
}

// An interface can be named, or found by the network that it is in.
func TestInterfaceAddress(t *testing.T) {
	local, err := localAddresses()
	require.NoError(t, err)
	for _, a := range local {
		if !a.addr.IsLoopback() {
			continue
		}
		byNetwork, err := interfaceAddress(netip.PrefixFrom(a.addr, a.addr.BitLen()).String())
		require.NoError(t, err)
		require.Equal(t, a.addr, byNetwork)
		byName, err := interfaceAddress(a.iface)
		require.NoError(t, err)
		require.True(t, byName.IsLoopback())
	}
}

// find knows all transports.
func find(name string) (string, rpi.Open, error) { return name, nil, nil }

func TestMistakenVariablesAreWarnedOf(t *testing.T) {
	var out bytes.Buffer
	new(Settings).warnMistaken(&out, []string{"PATH=/bin", "SCTPMPI_TRANSPORT=sctp", "SCTPMPI_SPINN=0"})
	assert.Equal(t, "mpi: there is no variable SCTPMPI_SPINN; did you mean SCTPMPI_SPIN?\n", out.String())
}
