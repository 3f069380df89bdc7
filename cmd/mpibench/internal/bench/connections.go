package bench

import (
	"cmp"
	"fmt"

	"github.com/spf13/pflag"

	"github.com/sctpmpi/sctpmpi/cmd/internal/report"
	"github.com/sctpmpi/sctpmpi/cmd/internal/suite"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/rank"
	"github.com/sctpmpi/sctpmpi/tcprpi/pertrc"
)

// Connections measures what connections with idle ranks cost two ranks that exchange messages. All ranks are in one process, as so many
// processes would need too much memory.
type Connections struct {
	idle  []int
	sizes []int
}

// maxIdle bounds the idle ranks: each has two connections, which over TCP take two descriptors each.
const maxIdle = 10_000

func (b *Connections) Flags(fs *pflag.FlagSet) {
	fs.IntSliceVar(&b.idle, "idle", []int{0, 100, 300, 988}, "how many idle `ranks` each of the two has a connection with")
	fs.IntSliceVar(&b.sizes, "size", []int{64, 1 << 10, 8 << 10}, "lengths of the message in `bytes`")
}

func (b *Connections) Check() error {
	return cmp.Or(within("idle", 0, maxIdle, b.idle...), within("size", 0, maxSize, b.sizes...))
}

// descriptorsEach is how many descriptors each idle rank takes over tcp-pertrc: two sockets for each direction and TRC, and both ends are in
// this process.
const descriptorsEach = 21

// Windows of long messages, whose bandwidth is measured too.
const (
	longMessage = 1 << 20
	longWindow  = 8
)

func (b *Connections) Plan(o Options) *suite.Plan {
	times := newTable("connections", "transport", "idle ranks", "bytes")
	times.Columns = []report.Column{{Figure: "half_rtt_us", Title: "half RTT µs", Format: "%.2f"}, callsMade, coresUsed}
	times.Plot = &report.Plot{
		Title: "Half round trip beside connections with idle ranks", By: []string{"transport"}, Dim: "idle ranks", XLabel: "idle ranks",
		Figure: "half_rtt_us", YLabel: "half round trip (µs)", Only: func(at []any) bool { return at[2] == b.sizes[0] },
	}
	long := newTable("bandwidth beside connections", "transport", "idle ranks")
	long.Columns = []report.Column{{Figure: "gbit_s", Title: "Gbit/s, messages of 1 MiB", Format: "%.2f"}, callsMade, coresUsed}
	p := &suite.Plan{Tables: []*report.Table{times.Table, long.Table}, Missing: make(map[string]string)}
	for _, transport := range o.Transports {
		for _, idle := range b.idle {
			if transport == pertrc.Name && beyond(p, transport, fmt.Sprintf("beside %d idle ranks", idle), idle*descriptorsEach/2) {
				continue
			}
			s := setup{transport: transport, mode: "in one process", local: true, idle: idle, env: []string{idleSpin}}
			for _, size := range b.sizes {
				s = s.with(rank.Work{Program: "latency", Size: size}, times.slot(transport, idle, size))
			}
			s = s.with(rank.Work{Program: "flood", Size: longMessage, Window: longWindow}, long.slot(transport, idle))
			p.Jobs = append(p.Jobs, o.job(s))
		}
	}
	return p
}
