package experiments

import (
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/ranks"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// The variants that experiments choose from.
var (
	perPair      = plan.Variant{Name: "tcp-perpair", Transport: "tcp-perpair"}
	perTRC       = plan.Variant{Name: "tcp-pertrc", Transport: "tcp-pertrc"}
	kernel       = plan.Variant{Name: "sctp-kernel", Transport: "sctp-kernel"}
	engine       = plan.Variant{Name: "sctp-engine", Transport: "sctp-engine"}
	streamPerTRC = plan.Variant{Name: "sctp-pertrc", Transport: "sctp-pertrc"}
	kernelSingle = with(kernel, "streams=1", "SCTPMPI_STREAMS=1")
	engineSingle = with(engine, "streams=1", "SCTPMPI_STREAMS=1")

	// TCP at its best: it has no delay of small messages in any variant, and CUBIC unless another is named.
	perPairReno   = tcpWith("reno")
	perPairBBR    = tcpWith("bbr")
	perPairSoon   = plan.Variant{Name: "tcp-perpair, RTO ≥ 50 ms", Transport: perPair.Transport, TCPFloor: 50 * time.Millisecond}
	engineNewReno = with(engine, "newreno", rpi.EnvCongestion+"=newreno")
	engineBBR     = with(engine, "bbr", rpi.EnvCongestion+"=bbr")
	engineDraft   = with(engine, "bbr-draft", rpi.EnvCongestion+"=bbr-draft")

	kernelSlow       = with(kernel, "RTO ≥ 1 s", ranks.RTOMinVariable+"=1s", "SCTPMPI_CONNECT=eager")
	kernelInterleave = with(kernel, "interleave", "SCTPMPI_INTERLEAVE=1")
	engineInterleave = with(engine, "interleave", "SCTPMPI_INTERLEAVE=1")
)

// designs are the transports, each as it is.
func designs() []plan.Variant {
	return []plan.Variant{perPair, perTRC, kernel, engine, streamPerTRC}
}

// withSingle are the designs, and SCTP without streams.
func withSingle() []plan.Variant { return append(designs(), kernelSingle, engineSingle) }

// bestTCP are the ways of TCP to deal with losses that other variants do not have, and the engine's that one of them is to be compared
// with. SCTP's floor of the retransmission timeout is 50 ms, TCP's 200 ms unless a variant says otherwise.
func bestTCP() []plan.Variant {
	return []plan.Variant{perPairReno, perPairBBR, perPairSoon, engineNewReno}
}

// best are those, and the engine that does not take each loss for congestion.
func best() []plan.Variant { return append(bestTCP(), engineBBR) }

// tcpWith is TCP with another congestion control, which the kernel loads when it is asked for.
func tcpWith(name string) plan.Variant {
	return plan.Variant{
		Name: perPair.Name + ", " + name, Transport: perPair.Transport,
		Sysctls: map[string]string{"net/ipv4/tcp_congestion_control": name},
	}
}

// only names variants.
func only(variants ...plan.Variant) (names []string) {
	for _, v := range variants {
		names = append(names, v.Name)
	}
	return names
}

func with(v plan.Variant, name string, settings ...string) plan.Variant {
	v.Name += ", " + name
	v.Env = append(append([]string(nil), v.Env...), settings...)
	return v
}
