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
	kernelSingle = with(kernel, "streams=1", "SCTPMPI_STREAMS=1")
	engineSingle = with(engine, "streams=1", "SCTPMPI_STREAMS=1")

	kernelSlow       = with(kernel, "RTO ≥ 1 s", ranks.RTOMinVariable+"=1s")
	kernelInterleave = with(kernel, "interleave", "SCTPMPI_INTERLEAVE=1")
	engineInterleave = with(engine, "interleave", "SCTPMPI_INTERLEAVE=1")
)

// usual are those of most experiments.
func usual() []plan.Variant {
	return []plan.Variant{perPair, perTRC, kernel, kernelSingle, engine, engineSingle}
}

func with(v plan.Variant, name, setting string) plan.Variant {
	v.Name += ", " + name
	v.Env = append([]string(nil), append(v.Env, setting)...)
	return v
}
