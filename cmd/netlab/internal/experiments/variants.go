package experiments

import (
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/ranks"
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

	kernelSlow       = with(kernel, "RTO ≥ 1 s", ranks.RTOMinVariable+"=1s", "SCTPMPI_CONNECT=eager")
	kernelInterleave = with(kernel, "interleave", "SCTPMPI_INTERLEAVE=1")
	engineInterleave = with(engine, "interleave", "SCTPMPI_INTERLEAVE=1")
)

// designs are the transports, each as it is. They come first in all experiments, so that a transport has one colour in all
// charts.
func designs() []plan.Variant {
	return []plan.Variant{perPair, perTRC, kernel, engine, streamPerTRC}
}

// withSingle are the designs, and SCTP without streams.
func withSingle() []plan.Variant { return append(designs(), kernelSingle, engineSingle) }

func with(v plan.Variant, name string, settings ...string) plan.Variant {
	v.Name += ", " + name
	v.Env = append(append([]string(nil), v.Env...), settings...)
	return v
}
