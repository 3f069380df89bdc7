// Package enginebench compares the embedded SCTP engine with what else could carry
// messages: bare UDP as the limit, TCP as what everybody has, and pion as the SCTP
// that Go programs have without us. All run in turn, round after round, on the same
// machine, each in two processes over the loopback interface.
package enginebench

import (
	"fmt"

	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/link"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/peer"
)

// Names of the contenders, which are those of their transports.
const (
	Engine = "engine"
	RawUDP = "rawudp"
	TCP    = "tcp"
	Pion   = "pion"
)

// Names are all contenders, in the order in which they are shown.
var Names = []string{Engine, RawUDP, TCP, Pion}

// Contender is a transport and the command that starts a peer which knows it.
type Contender struct {
	Name    string
	Command []string
}

// variant is a contender's links with certain options, and what they are measured by.
type variant struct {
	options      link.Options
	measurements []measurement
}

// measurement is one thing that is measured. It yields one figure or more.
type measurement struct {
	action peer.Action
	size   int
	figure string // named by what it is and the size, empty for latency
}

var withChecksum = variant{measurements: append([]measurement{
	{peer.Latency, 64, ""},
	{peer.Throughput, 64, "msgs_per_s_64b"},
}, throughputs("")...)}

var withoutChecksum = variant{
	options:      link.Options{NoChecksum: true},
	measurements: throughputs("_nocrc"),
}

func throughputs(suffix string) []measurement {
	return []measurement{
		{peer.Throughput, 1 << 10, "gbit_1k" + suffix},
		{peer.Throughput, 64 << 10, "gbit_64k" + suffix},
		{peer.Throughput, 4 << 20, "gbit_4m" + suffix},
	}
}

// variants are what a contender is measured in. Only two can do without CRC32c.
func (c Contender) variants() []variant {
	if c.Name == Engine || c.Name == RawUDP {
		return []variant{withChecksum, withoutChecksum}
	}
	return []variant{withChecksum}
}

// Names of the figures of a latency measurement: half of the mean round trip, and of
// percentiles.
const (
	halfRTT    = "half_rtt_us"
	halfRTTP50 = "half_rtt_p50_us"
	halfRTTP99 = "half_rtt_p99_us"
)

// String says what is measured.
func (m measurement) String() string { return fmt.Sprintf("%s of %d bytes", m.action, m.size) }

// figures makes figures of what the initiator has measured with so many messages.
func (m measurement) figures(r peer.Reply, count int) Figures {
	seconds := r.Elapsed.Seconds()
	switch {
	case m.action == peer.Latency:
		return Figures{
			halfRTT:    seconds / float64(2*count) * 1e6,
			halfRTTP50: r.P50.Seconds() / 2 * 1e6,
			halfRTTP99: r.P99.Seconds() / 2 * 1e6,
		}
	case m.figure == "msgs_per_s_64b":
		return Figures{m.figure: float64(count) / seconds}
	}
	return Figures{m.figure: float64(count) * float64(m.size) * 8 / seconds / 1e9}
}
