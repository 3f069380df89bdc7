package experiments

import (
	"fmt"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/ranks"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

func lateReceiver(quick bool) plan.Experiment {
	const megabytes = 4
	e := plan.Experiment{
		Name:     "latereceiver",
		Title:    "A receiver that is late",
		Question: "Does bulk that a rank does not receive yet delay the messages that it waits for?",
		Setup: "Rank 1 starts 4 MB of bulk with one tag, in messages of 30 KiB, which are short to the library, or of 300 KiB, which are long. Rank 0 receives " +
			"them only when it has gone through its critical path: 30 messages of 1 KiB with another tag, for each of which it computes for 5 ms " +
			"(waiting on a clock) and sends an answer. The thesis argues that a transport which pushes back each TRC by itself leaves the network to the " +
			"critical path. It can do so only when the receiver has no room left: by default that is for 64 MiB, or what the kernel gives a " +
			"connection of TCP, which 4 MB do not fill; with room for 512 KiB they do. Nothing is lost. A step of the critical path takes a round trip at least; its time is without computing.",
		Variants: withSingle(),
		Metrics: []plan.Metric{
			{Name: "critical", Title: "step of the critical path", Unit: "ms"},
			{Name: "drain", Title: "time until bulk is there, after it", Unit: "s"},
			{Name: "total", Title: "both", Unit: "s"},
		},
		Ratios: []plan.Ratio{{Metric: "critical", Factor: "bulk", Value: 0, Title: "step, by that without bulk"}},
		Charts: []plan.Chart{{Metric: "critical", X: "bulk", Bars: true, LogY: true}, {Metric: "total", X: "bulk", Bars: true}},
		Rounds: pick(quick, 2, plan.LeastJobs),
		Budget: pick(quick, 5*time.Minute, time.Hour),
	}
	// What a receiver may keep of messages that no receive has asked for: by default more than there is, or little. TCP by TRC keeps them
	// in the kernel.
	type room struct {
		name, limit string
		sysctls     map[string]string
	}
	much := room{name: "64 MiB"}
	little := room{"512 KiB", rpi.EnvUnexpectedLimit + "=524288", map[string]string{"net/ipv4/tcp_rmem": "4096 131072 524288"}}
	for _, rtt := range pick(quick, []time.Duration{20 * time.Millisecond},
		[]time.Duration{time.Millisecond, 20 * time.Millisecond, 100 * time.Millisecond}) {
		for _, room := range pick(quick, []room{little}, []room{much, little}) {
			for _, size := range []int{0, 30 << 10, 300 << 10} {
				p := ranks.LateReceiver{Bulk: 30 << 10, Small: 1 << 10, Steps: 30, Compute: 5 * time.Millisecond}
				bulk := plan.Factor{Name: "bulk", Value: float64(size), Label: "none"}
				if size > 0 {
					p.Bulk, p.Bulks, bulk.Label = size, megabytes*1e6/size, fmt.Sprintf("%d KiB", size>>10)
				}
				c := plan.Case{
					Factors: []plan.Factor{rttFactor(rtt), {Name: "room", Label: room.name}, bulk},
					Ranks:   2, Hosts: 2, Conditions: network(rtt, 0), Sysctls: room.sysctls,
					Program: "latereceiver", Params: p, Timeout: time.Minute,
				}
				if room.limit != "" {
					c.Env = []string{room.limit}
				}
				e.Cases = append(e.Cases, c)
			}
		}
	}
	return e
}
