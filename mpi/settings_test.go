package mpi

import (
	"cmp"
	"context"
	"net/netip"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/pmi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/sctprpi/kernel"
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
	s, err := newSettings("mpi.Init", environment(
		"SCTPMPI_TRANSPORT=tcp-perpair", "SCTPMPI_EAGER_LIMIT=1000", "SCTPMPI_UNEXPECTED_LIMIT=2000", "SCTPMPI_CONNECT=eager",
		"SCTPMPI_CONNECT_TIMEOUT=1m30s", "SCTPMPI_PEER_TIMEOUT=2m", "SCTPMPI_FINALIZE_TIMEOUT=3m", "SCTPMPI_INTERFACE=127.0.0.1", "SCTPMPI_PORT_RANGE=7000-7063",
		"SCTPMPI_JOB_TOKEN=000102030405060708090a0b0c0d0e0f", "SCTPMPI_PROGRESS=inline", "SCTPMPI_SPIN=20us", "SCTPMPI_SHM=off", "SCTPMPI_DEBUG=1",
	), nil)
	require.NoError(t, err)
	require.Equal(t, &settings{
		transport: "tcp-perpair", eager: 1000, unexpected: 2000, connectEagerly: true, connectTimeout: 90 * time.Second,
		peerTimeout: 2 * time.Minute, finalizeTimeout: 3 * time.Minute,
		bind: netip.MustParseAddr("127.0.0.1"), portLow: 7000, portHigh: 7063,
		token:    []byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
		progress: rpi.Inline, spin: 20 * time.Microsecond, sharedMemory: "off", debug: true,
	}, s)
}

func TestOptionsOverrideTheEnvironment(t *testing.T) {
	s, err := newSettings("mpi.Init", environment("SCTPMPI_EAGER_LIMIT=1000", "SCTPMPI_CONNECT=eager"), []Option{
		WithEagerLimit(5), WithConnect("lazy"), WithUnexpectedLimit(7), WithConnectTimeout(time.Second), WithPeerTimeout(time.Hour), WithFinalizeTimeout(2 * time.Hour),
		WithInterface("127.0.0.2"), WithPortRange(1, 65535), WithTransport("tcp-perpair"), WithProgress("event"), WithSpin(0), WithSharedMemory("auto"),
	})
	require.NoError(t, err)
	require.Equal(t, &settings{
		transport: "tcp-perpair", eager: 5, unexpected: 7, connectTimeout: time.Second, peerTimeout: time.Hour, finalizeTimeout: 2 * time.Hour,
		bind: netip.MustParseAddr("127.0.0.2"), portLow: 1, portHigh: 65535, progress: rpi.Event, spin: never, sharedMemory: "auto",
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
		{processors: 1, ranks: 2, oversubscribed: true, spin: never},
		{processors: 1, ranks: 2, oversubscribed: true, asked: time.Millisecond, spin: time.Millisecond},
	} {
		s := &settings{spin: c.asked}
		s.setOversubscription(c.ranks, c.processors)
		require.Equal(t, c.oversubscribed, s.oversubscribed, "%+v", c)
		require.Equal(t, c.spin, s.spin, "%+v", c)
	}
}

// A rank started by mpirun has its share of the processors as GOMAXPROCS. All ranks of the host may use more.
func TestProcessorsOfTheHostAreMoreThanTheShareOfARank(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	for value, processors := range map[string]int{"": 3, "16": 16, "1": 1, "0": 3, "many": 3} {
		t.Setenv("SCTPMPI_LOCAL_PROCESSORS", value)
		require.Equal(t, processors, localProcessors(), value)
	}
}

func TestDebugWritesALineWithTheRank(t *testing.T) {
	var out strings.Builder
	require.Nil(t, new(settings).debugTo(&out, 3), "it is off")
	(&settings{debug: true}).debugTo(&out, 3)("peer %d: %s", 7, "another user")
	require.Equal(t, "mpi: rank 3: peer 7: another user\n", out.String())
}

// What rank 0 says of its host decides for all ranks, since they must choose the same algorithms.
func TestAllRanksTakeOversubscriptionFromRankZero(t *testing.T) {
	s := new(settings)
	for _, oversubscribed := range []bool{false, true} {
		first := &process{transport: spoken{}, oversubscribed: oversubscribed}
		other := &process{rank: 1, transport: spoken{}, oversubscribed: !oversubscribed}
		other.launcher = &localLauncher{job: &localJob{cards: []string{first.card(s), ""}}, rank: 1}
		require.NoError(t, other.join(t.Context(), s))
		require.Equal(t, oversubscribed, other.oversubscribed)
	}
}

func TestTransportIsSCTPUnlessChosen(t *testing.T) {
	preset := "sctp-engine"
	if kernel.Probe() == nil {
		preset = "sctp-kernel"
	}
	for variable, transport := range map[string]string{
		"": preset, "sctp": preset, "sctp-engine": "sctp-engine", "sctp-kernel": "sctp-kernel", "tcp-perpair": "tcp-perpair",
	} {
		s, err := newSettings("mpi.Init", environment("SCTPMPI_TRANSPORT="+variable), nil)
		require.NoError(t, err)
		require.Equal(t, transport, s.transport)
	}
}

// Errors name the variable, its value, and what would be right.
func TestWrongSettings(t *testing.T) {
	for setting, text := range map[string]string{
		"SCTPMPI_TRANSPORT=pigeon":          `unknown transport "pigeon"; known: sctp, sctp-kernel, sctp-engine, tcp-perpair`,
		"SCTPMPI_EAGER_LIMIT=0":             "eager limit of 0 bytes: it must be 1 at least",
		"SCTPMPI_EAGER_LIMIT=1e3":           "it must be a number of bytes",
		"SCTPMPI_UNEXPECTED_LIMIT=-1":       "unexpected limit of -1 bytes: it must be 1 at least",
		"SCTPMPI_CONNECT=now":               `connect "now": it must be lazy or eager`,
		"SCTPMPI_CONNECT_TIMEOUT=10":        "it must be a duration, such as 10s or 1m30s",
		"SCTPMPI_PROGRESS=thread":           "it must be hybrid, event or inline",
		"SCTPMPI_SPIN=often":                "it must be a duration, such as 20us, or 0",
		"SCTPMPI_SPIN=-1s":                  "it must not be negative",
		"SCTPMPI_CONNECT_TIMEOUT=-1s":       "connect timeout -1s: it must be positive",
		"SCTPMPI_PEER_TIMEOUT=0s":           "peer timeout 0s: it must be positive",
		"SCTPMPI_FINALIZE_TIMEOUT=0s":       "finalize timeout 0s: it must be positive",
		"SCTPMPI_INTERFACE=nosuch0":         "it is no address, and no interface or network that is up here; there are: ",
		"SCTPMPI_INTERFACE=203.0.113.77/32": "it is no address, and no interface or network that is up here; there are: ",
		"SCTPMPI_INTERFACE=203.0.113.77":    "it is no address of this host; there are: ",
		"SCTPMPI_INTERFACE=0.0.0.0":         "peers need an address of this host that they can reach",
		"SCTPMPI_INTERFACE=::":              "peers need an address of this host that they can reach",
		"SCTPMPI_PORT_RANGE=7000":           "it must be low-high, from 1 to 65535, such as 7000-7063",
		"SCTPMPI_PORT_RANGE=7000-70000":     "it must be low-high",
		"SCTPMPI_PORT_RANGE=7001-7000":      "it must be low-high",
		"SCTPMPI_PORT_RANGE=0-7000":         "it must be low-high",
		"SCTPMPI_JOB_TOKEN=secret":          "it must be 32 hexadecimal digits at least",
		"SCTPMPI_JOB_TOKEN=0001020304":      "it must be 32 hexadecimal digits at least",
	} {
		_, err := newSettings("mpi.Init", environment(setting), nil)
		require.ErrorIs(t, err, ErrArg, setting)
		require.ErrorContains(t, err, text, setting)
		name, value, _ := strings.Cut(setting, "=")
		if name == "SCTPMPI_JOB_TOKEN" {
			value = "(secret)"
		}
		require.ErrorContains(t, err, "mpi.Init: invalid argument: "+name+"="+value+": ")
	}
	_, err := newSettings("mpi.Init", environment(), []Option{nil})
	require.ErrorIs(t, err, ErrArg)
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

// PMI_process_mapping is (vector,(first node, nodes, ranks on each),…).
func TestOneNode(t *testing.T) {
	for mapping, one := range map[string]bool{
		"(vector,(0,1,4))":         true,
		"(vector, (0, 1, 4))":      true,
		"(vector,(3,1,2),(3,1,2))": true,
		"(vector,(0,2,2))":         false,
		"(vector,(0,1,2),(1,1,2))": false,
		"":                         false,
		"(vector,)":                false,
		"(vector,(0,1))":           false,
		"(vector,(0,1,2),(0,1))":   false,
		"(list,(0,1,4))":           false,
	} {
		require.Equal(t, one, oneNode(mapping), mapping)
	}
}

// spoken is a transport as far as its card goes.
type spoken struct {
	rpi.Transport
	name, protocol string
}

func (t spoken) Name() string     { return t.name }
func (t spoken) Protocol() string { return t.protocol }
func (t spoken) Address() string  { return "1.2.3.4:5,1.2.3.5:5" }

// What ranks must have in common is compared before they connect.
func TestCardsOfDifferentSettingsAreRefused(t *testing.T) {
	ours, other := &settings{unexpected: 5}, &settings{unexpected: 6}
	process := func(name, protocol string) *process {
		return &process{transport: spoken{name: name, protocol: protocol}}
	}
	job := &localJob{cards: []string{
		process("sctp-kernel", "sctp/udp").card(ours),
		process("sctp-engine", "sctp/udp").card(ours),
		process("sctp-kernel", "sctp/ip").card(ours),
		process("tcp", "tcp").card(ours),
		process("sctp-engine", "sctp/udp").card(other),
		"nonsense",
	}}
	p := process("sctp-engine", "sctp/udp")
	p.rank, p.launcher = 9, &localLauncher{job: job}
	for peer, want := range []string{
		"",
		"",
		"rank 2 has transport sctp-kernel (sctp/ip) and rank 9 sctp-engine (sctp/udp), which do not understand each other: " +
			"set SCTPMPI_TRANSPORT alike for all ranks, or SCTPMPI_ENCAPSULATE=1 for those whose transport is sctp-kernel",
		"rank 3 has transport tcp (tcp) and rank 9 sctp-engine (sctp/udp), which do not understand each other: " +
			"set SCTPMPI_TRANSPORT alike for all ranks",
		"rank 4 has little-endian/unexpected-limit=6 and rank 9 little-endian/unexpected-limit=5: " +
			"all ranks must have the same byte order and SCTPMPI_UNEXPECTED_LIMIT",
		`rank 5 published "nonsense", which is not what this version of the library does`,
	} {
		address, err := p.lookup(t.Context(), ours, peer)
		if want != "" {
			require.EqualError(t, err, want)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, "1.2.3.4:5,1.2.3.5:5", address)
	}
	_, err := p.lookup(t.Context(), ours, 6)
	require.ErrorIs(t, err, pmi.ErrKeyNotFound)
}

// interrupted is a launcher whose caller gives up before the answer comes.
type interrupted struct {
	launcher
	interrupt func()
}

func (l interrupted) Get(ctx context.Context, key string) (string, error) {
	l.interrupt()
	card, err := l.launcher.Get(ctx, key)
	return card, cmp.Or(err, ctx.Err())
}

// A question to the launcher is not given up, as no other could follow.
func TestLookupThatHasBegunIsFinished(t *testing.T) {
	s := &settings{connectTimeout: time.Hour}
	p := &process{transport: spoken{name: "a", protocol: "a"}}
	ctx, cancel := context.WithCancel(t.Context())
	p.launcher = interrupted{&localLauncher{job: &localJob{cards: []string{p.card(s)}}}, cancel}
	_, err := p.lookup(ctx, s, 0)
	require.NoError(t, err)
	_, err = p.lookup(ctx, s, 0)
	require.ErrorIs(t, err, context.Canceled)
}
