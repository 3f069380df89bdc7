// Package bench compares the embedded SCTP engine with other ways to carry messages: bare UDP,
// which is the limit; TCP, which every system has; and pion/sctp, the other SCTP for Go. Each runs in two processes over the loopback interface of the same machine.
package bench

import (
	"fmt"
	"slices"

	"github.com/sctpmpi/sctpmpi/cmd/internal/link"
	"github.com/sctpmpi/sctpmpi/cmd/internal/suite"
	"github.com/sctpmpi/sctpmpi/cmd/sctpbench/internal/worker"
)

// Names of the contenders. Worker processes know their transports by the same names.
const (
	Engine = "engine"
	RawUDP = "rawudp"
	TCP    = "tcp"
	Pion   = "pion"
)

// Names are all contenders, in the order in which they are shown.
var Names = []string{Engine, RawUDP, TCP, Pion}

// CheckNames reports what is wrong with the value of --only.
func CheckNames(names []string) error {
	for _, name := range names {
		if !slices.Contains(Names, name) {
			return fmt.Errorf("--only: %q is none of %q", name, Names)
		}
	}
	return nil
}

// Contender is a transport, and the command that starts a worker process that knows it.
type Contender struct {
	Name    string
	Command []string
}

// variant is a set of measurements over links with the same options.
type variant struct {
	options      link.Options
	measurements []measurement
}

// measurement is one thing that is measured. It gives one figure or several.
type measurement struct {
	action worker.Action
	size   int    // of a message in bytes
	figure string // empty for latency, which has several
}

var latency = measurement{worker.Latency, 64, ""}

// rate is the figure of a throughput that counts messages.
const rate = "msgs_per_s_64b"

var withChecksum = variant{measurements: append([]measurement{latency, {worker.Throughput, 64, rate}}, throughputs("")...)}

var withoutChecksum = variant{
	options:      link.Options{NoChecksum: true},
	measurements: throughputs("_nocrc"),
}

func throughputs(suffix string) []measurement {
	return []measurement{
		{worker.Throughput, 1 << 10, "gbit_1k" + suffix},
		{worker.Throughput, 64 << 10, "gbit_64k" + suffix},
		{worker.Throughput, 4 << 20, "gbit_4m" + suffix},
	}
}

// variants returns the variants of a contender. Only two contenders work without CRC32c.
func (c Contender) variants() []variant {
	if c.Name == Engine || c.Name == RawUDP {
		return []variant{withChecksum, withoutChecksum}
	}
	return []variant{withChecksum}
}

// Figures of latency: half of a round trip, as the mean and as percentiles.
const (
	halfRTT    = "half_rtt_us"
	halfRTTP50 = "half_rtt_p50_us"
	halfRTTP99 = "half_rtt_p99_us"
)

// String says what is measured.
func (m measurement) String() string { return fmt.Sprintf("%s of %d bytes", m.action, m.size) }

// figures computes the figures from the reply about a number of messages.
func (m measurement) figures(r worker.Reply, count int) suite.Figures {
	seconds := r.Elapsed.Seconds()
	switch {
	case m.action == worker.Latency:
		return suite.Figures{
			halfRTT:    seconds / float64(2*count) * 1e6,
			halfRTTP50: r.P50.Seconds() / 2 * 1e6,
			halfRTTP99: r.P99.Seconds() / 2 * 1e6,
		}
	case m.figure == rate:
		return suite.Figures{m.figure: float64(count) / seconds}
	}
	return suite.Figures{m.figure: float64(count) * float64(m.size) * 8 / seconds / 1e9}
}
