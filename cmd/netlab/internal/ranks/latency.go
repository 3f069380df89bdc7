package ranks

import (
	"math"
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
	for name, p := range map[string]float64{"p50": 0.5, "p90": 0.9, "p95": 0.95, "p99": 0.99, "max": 1} {
		m[name] = l.quantile(p)
	}
}

// quantile is the least latency that so large a share does not exceed; not a number if there are none.
func (l latencies) quantile(share float64) float64 {
	if len(l) == 0 {
		return math.NaN()
	}
	slices.Sort(l)
	return stat.Quantile(share, stat.Empirical, l, nil)
}

// above is the share that is greater than a limit.
func (l latencies) above(limit float64) float64 {
	n := 0
	for _, v := range l {
		if v > limit {
			n++
		}
	}
	return float64(n) / float64(len(l))
}
