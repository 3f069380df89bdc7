package rpi

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// The environment variables that the library reads. Their names stand here together, so that one which is none of them
// can be told from one that is.
const (
	EnvTransport       = "SCTPMPI_TRANSPORT"
	EnvEagerLimit      = "SCTPMPI_EAGER_LIMIT"
	EnvUnexpectedLimit = "SCTPMPI_UNEXPECTED_LIMIT"
	EnvConnect         = "SCTPMPI_CONNECT"
	EnvConnectTimeout  = "SCTPMPI_CONNECT_TIMEOUT"
	EnvPeerTimeout     = "SCTPMPI_PEER_TIMEOUT"
	EnvFinalizeTimeout = "SCTPMPI_FINALIZE_TIMEOUT"
	EnvInterface       = "SCTPMPI_INTERFACE"
	EnvPublish         = "SCTPMPI_PUBLISH"
	EnvPortRange       = "SCTPMPI_PORT_RANGE"
	EnvProgress        = "SCTPMPI_PROGRESS"
	EnvSpin            = "SCTPMPI_SPIN"
	EnvJobToken        = "SCTPMPI_JOB_TOKEN"
	EnvEncrypt         = "SCTPMPI_ENCRYPT"
	EnvSharedMemory    = "SCTPMPI_SHM"
	EnvReproducible    = "SCTPMPI_REPRODUCIBLE"
	EnvDebug           = "SCTPMPI_DEBUG"
	EnvCheck           = "SCTPMPI_CHECK" // of C programs
	EnvTrace           = "SCTPMPI_TRACE"
	EnvProfile         = "SCTPMPI_PROFILE"

	// Of the transports over SCTP.
	EnvStreams     = "SCTPMPI_STREAMS"
	EnvInterleave  = "SCTPMPI_INTERLEAVE"
	EnvEncapsulate = "SCTPMPI_ENCAPSULATE"
	EnvCongestion  = "SCTPMPI_CONGESTION"
	EnvMultipath   = "SCTPMPI_MULTIPATH"
	EnvECN         = "SCTPMPI_ECN"
)

// Those that mpirun reads, or sets for its ranks beside JobToken.
const (
	EnvKillGrace       = "SCTPMPI_KILL_GRACE"
	EnvDeadlock        = "SCTPMPI_DEADLOCK_CHECK"
	EnvLocalRank       = "SCTPMPI_LOCAL_RANK"
	EnvLocalSize       = "SCTPMPI_LOCAL_SIZE"
	EnvLocalProcessors = "SCTPMPI_LOCAL_PROCESSORS"
	EnvTerminal        = "SCTPMPI_TERMINAL"
	EnvLauncher        = "SCTPMPI_LAUNCHER"
	EnvStatistics      = "SCTPMPI_STATISTICS"
)

// Variables are the variables that users meet.
var Variables = []string{
	EnvTransport, EnvEagerLimit, EnvUnexpectedLimit, EnvConnect, EnvConnectTimeout, EnvPeerTimeout, EnvFinalizeTimeout,
	EnvInterface, EnvPublish, EnvPortRange, EnvProgress, EnvSpin, EnvJobToken, EnvEncrypt, EnvSharedMemory, EnvReproducible, EnvDebug, EnvCheck, EnvTrace, EnvProfile, EnvStreams, EnvInterleave,
	EnvEncapsulate, EnvCongestion, EnvMultipath, EnvECN, EnvKillGrace, EnvDeadlock, EnvLocalRank, EnvLocalSize, EnvLocalProcessors, EnvTerminal, EnvLauncher, EnvStatistics,
}

// prefix begins the names of all variables.
const prefix = "SCTPMPI_"

// tools begin the names of variables of this project's own tests and tools.
var tools = []string{"SCTPMPI_LAB", "SCTPMPI_REQUIRE_LAB", "SCTPMPI_NETLAB_", "SCTPMPI_NETEM_", "SCTPMPI_CHARTS", "SCTPMPI_TEST_"}

// MistakenVariables looks for variables in an environment, of NAME=VALUE settings, that begin like those of this project
// but are none. It returns a sentence for each name, with the most similar one that there is.
func MistakenVariables(environment []string) []string {
	var names []string
	for _, setting := range environment {
		name, _, _ := strings.Cut(setting, "=")
		if strings.HasPrefix(name, prefix) && !slices.Contains(Variables, name) && !slices.Contains(names, name) &&
			!slices.ContainsFunc(tools, func(tool string) bool { return strings.HasPrefix(name, tool) }) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for i, name := range names {
		names[i] = fmt.Sprintf("there is no variable %s", name)
		bare := strings.TrimPrefix(name, prefix)
		known := make([]string, len(Variables))
		for i, v := range Variables {
			known[i] = strings.TrimPrefix(v, prefix)
		}
		if near, found := Nearest(bare, known); found {
			names[i] += fmt.Sprintf("; did you mean %s?", prefix+near)
		} else {
			names[i] += "; mpirun --help lists those that there are"
		}
	}
	return names
}

// ParsePortRange reads the value of EnvPortRange. Neither port is 0, and low is not above high.
func ParsePortRange(value string) (low, high uint16, err error) {
	first, last, _ := strings.Cut(value, "-")
	from, err1 := strconv.ParseUint(first, 10, 16)
	to, err2 := strconv.ParseUint(last, 10, 16)
	if err1 != nil || err2 != nil || from == 0 || from > to {
		return 0, 0, errors.New("it must be low-high, from 1 to 65535, such as 7000-7063")
	}
	return uint16(from), uint16(to), nil
}

// CheckPortRange says why a range of ports does not do for so many ranks on a host, nil if it does. The range 0 to 0
// stands for any port.
func CheckPortRange(low, high uint16, ranks int) error {
	ports := int(high) - int(low) + 1
	if low == 0 || ranks <= ports {
		return nil
	}
	return fmt.Errorf("%s=%d-%d: %d ports for %d ranks on this host; each rank needs one", EnvPortRange, low, high, ports, ranks)
}
