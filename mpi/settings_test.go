package mpi

import (
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/startup"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/sctprpi/kernel"
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
		require.Equal(t, transport, s.Transport)
	}
}

// Errors name the variable, its value, and what would be right.
func TestWrongSettings(t *testing.T) {
	for setting, text := range map[string]string{
		"SCTPMPI_TRANSPORT=pigeon":              `unknown transport "pigeon"; known: sctp, sctp-kernel, sctp-engine, tcp-perpair`,
		"SCTPMPI_EAGER_LIMIT=0":                 "eager limit of 0 bytes: it must be 1 at least",
		"SCTPMPI_EAGER_LIMIT=1e3":               "it must be a number of bytes",
		"SCTPMPI_UNEXPECTED_LIMIT=-1":           "unexpected limit of -1 bytes: it must be 1 at least",
		"SCTPMPI_CONNECT=now":                   `connect "now": it must be lazy or eager`,
		"SCTPMPI_CONNECT_TIMEOUT=10":            "it must be a duration, such as 10s or 1m30s",
		"SCTPMPI_PROGRESS=thread":               "it must be hybrid, event or inline",
		"SCTPMPI_SPIN=often":                    "it must be a duration, such as 20us, or 0",
		"SCTPMPI_SPIN=-1s":                      "it must not be negative",
		"SCTPMPI_CONNECT_TIMEOUT=-1s":           "connect timeout -1s: it must be positive",
		"SCTPMPI_PEER_TIMEOUT=0s":               "peer timeout 0s: it must be positive",
		"SCTPMPI_FINALIZE_TIMEOUT=0s":           "finalize timeout 0s: it must be positive",
		"SCTPMPI_INTERFACE=nosuch0":             "it is no address, and no interface or network that is up here; there are: ",
		"SCTPMPI_INTERFACE=203.0.113.77/32":     "it is no address, and no interface or network that is up here; there are: ",
		"SCTPMPI_INTERFACE=203.0.113.77":        "it is no address of this host; there are: ",
		"SCTPMPI_INTERFACE=0.0.0.0":             "peers need an address of this host that they can reach",
		"SCTPMPI_INTERFACE=::":                  "peers need an address of this host that they can reach",
		"SCTPMPI_INTERFACE=127.0.0.1,nosuch0":   `"nosuch0": it is no address, and no interface or network that is up here`,
		"SCTPMPI_INTERFACE=127.0.0.1,":          `"": it is no address`,
		"SCTPMPI_INTERFACE=127.0.0.1,127.0.0.1": "127.0.0.1 and 127.0.0.1 are both 127.0.0.1: a second address is of use on a network of its own",
		"SCTPMPI_INTERFACE=a,b,c,d,e":           "it names 5 addresses; there may be 4",
		"SCTPMPI_PUBLISH=host":                  "it must be an address, or an address and a port, such as 192.0.2.1:7000",
		"SCTPMPI_PUBLISH=192.0.2.1:0":           "it must be an address, or an address and a port",
		"SCTPMPI_PUBLISH=0.0.0.0":               "peers need an address that they can reach",
		"SCTPMPI_PORT_RANGE=7000":               "it must be low-high, from 1 to 65535, such as 7000-7063",
		"SCTPMPI_PORT_RANGE=7000-70000":         "it must be low-high",
		"SCTPMPI_PORT_RANGE=7001-7000":          "it must be low-high",
		"SCTPMPI_PORT_RANGE=0-7000":             "it must be low-high",
		"SCTPMPI_JOB_TOKEN=secret":              "it must be 32 hexadecimal digits at least",
		"SCTPMPI_JOB_TOKEN=0001020304":          "it must be 32 hexadecimal digits at least",
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

func TestOptionsOverrideTheEnvironment(t *testing.T) {
	s, err := newSettings("mpi.Init", environment("SCTPMPI_EAGER_LIMIT=1000", "SCTPMPI_CONNECT=eager"), []Option{
		WithEagerLimit(5), WithConnect("lazy"), WithUnexpectedLimit(7), WithConnectTimeout(time.Second), WithPeerTimeout(time.Hour), WithFinalizeTimeout(2 * time.Hour),
		WithInterface("127.0.0.2"), WithPortRange(1, 65535), WithTransport("tcp-perpair"), WithProgress("event"), WithSpin(0), WithSharedMemory("auto"),
	})
	require.NoError(t, err)
	s.Find = nil // functions cannot be compared
	require.Equal(t, &startup.Settings{
		Transport: "tcp-perpair", EagerLimit: 5, UnexpectedLimit: 7, ConnectTimeout: time.Second, PeerTimeout: time.Hour, FinalizeTimeout: 2 * time.Hour,
		Bind: []netip.Addr{netip.MustParseAddr("127.0.0.2")}, PortLow: 1, PortHigh: 65535, Progress: rpi.Event, Spin: startup.Never, SharedMemory: "auto",
	}, s)
}
