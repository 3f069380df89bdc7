// Package experiments has the experiments, each in a file of its own.
package experiments

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
	"github.com/sctpmpi/sctpmpi/internal/netem"
	"github.com/sctpmpi/sctpmpi/mpi"
)

// makers make the experiments, in the order of the documentation. A quick one answers the same question with fewer cases,
// and less surely.
var makers = []func(quick bool) plan.Experiment{
	pingPong, farmLoss, headOfLine, senderQueue, reorder, longShort, lateReceiver, searchLoss, correlationLoss, sockets, streams, connections, multihome, multipath,
	congestion, congestionGrid, headOfLineBBR,
}

// All returns all experiments, with those variants whose transports this program has.
func All(quick bool) []plan.Experiment {
	all := make([]plan.Experiment, len(makers))
	for i, make := range makers {
		all[i] = make(quick)
		all[i].Variants = slices.DeleteFunc(all[i].Variants, func(v plan.Variant) bool {
			return !v.Among(mpi.Transports())
		})
	}
	return all
}

// Select returns the experiments of those names, all for "all", in their own order, with the variants of some transports,
// all for none.
func Select(names, transports []string, quick bool) ([]plan.Experiment, error) {
	var known []string
	all := All(quick)
	for _, e := range all {
		known = append(known, e.Name)
	}
	for _, name := range names {
		if name != "all" && !slices.Contains(known, name) {
			return nil, fmt.Errorf("%q is no experiment; there are %s, and all", name, strings.Join(known, ", "))
		}
	}
	for _, name := range transports {
		if !slices.Contains(mpi.Transports(), name) {
			return nil, fmt.Errorf("%q is no transport; there are %s", name, strings.Join(mpi.Transports(), ", "))
		}
	}
	var selected []plan.Experiment
	for _, e := range all {
		if !slices.Contains(names, e.Name) && !slices.Contains(names, "all") {
			continue
		}
		e.Variants = slices.DeleteFunc(e.Variants, func(v plan.Variant) bool { return !v.Among(transports) })
		selected = append(selected, e)
	}
	return selected, nil
}

// bandwidth is that of all links: little enough that the links are the limit, not the processor of a lab.
const bandwidth = 20 * netem.Mbit

// network are links with a round trip and a loss in percent, and room for a thousand packets beside those on their way.
func network(rtt time.Duration, loss float64) netem.Conditions {
	const packet = 1500 * 8 // bits
	underway := float64(bandwidth) * rtt.Seconds() / 2 / packet
	return netem.Conditions{Delay: rtt / 2, Loss: netem.Percent(loss), Rate: bandwidth, Limit: 1000 + uint32(underway)}
}

// late has a share of packets in percent come 5 ms later than the others, at a stage before links. What netem calls reordered is sent at
// once, and the others are delayed.
func late(percent float64) netem.Conditions {
	if percent == 0 {
		return netem.Conditions{}
	}
	return netem.Conditions{Delay: 5 * time.Millisecond, Reorder: netem.Percent(100 - percent)}
}

func lossFactor(percent float64) plan.Factor {
	return plan.Factor{Name: "loss", Value: percent, Unit: "%"}
}

func rttFactor(rtt time.Duration) plan.Factor {
	return plan.Factor{Name: "round trip", Value: float64(rtt) / 1e6, Unit: " ms"}
}

func sizeFactor(bytes int) plan.Factor {
	return plan.Factor{Name: "size", Value: float64(bytes), Label: fmt.Sprintf("%d KiB", bytes>>10)}
}

// pick returns the first if an experiment is to be quick, or else the second.
func pick[T any](quick bool, few, many T) T {
	if quick {
		return few
	}
	return many
}
