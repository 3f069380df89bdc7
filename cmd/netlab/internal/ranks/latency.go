package ranks

import (
	"slices"
	"time"

	"gonum.org/v1/gonum/stat"
)

// latencies are those of messages, in milliseconds.
type latencies []float64

// arrived notes that a message has arrived that was stamped.
func (l *latencies) arrived(data []byte) {
	*l = append(*l, float64(time.Now().UnixNano()-stamped(data))/1e6)
}

// report adds how they are distributed.
func (l latencies) report(m Metrics) {
	slices.Sort(l)
	for name, p := range map[string]float64{"p50": 0.5, "p95": 0.95, "p99": 0.99, "max": 1} {
		m[name] = stat.Quantile(p, stat.Empirical, l, nil)
	}
}
