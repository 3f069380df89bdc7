package metrics

import (
	"strconv"

	"github.com/sctpmpi/sctpmpi/internal/stats"
)

// limits are the places of a stats.Histogram at which the buckets for Prometheus end, each with values of up to 2^place - 1.
var limits = []int{0, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30}

// lengths are histograms of the lengths of messages, of ranks that count them: mpirun --stats.
func (v *view) lengths(e *exposition, labels [][]string) {
	for _, m := range []struct {
		metric
		of  func(l *stats.Lengths) stats.Histogram
		sum func(i int) uint64
	}{
		{metric{"sctpmpi_sent_message_size_bytes", histogram, "Lengths of the messages sent."},
			func(l *stats.Lengths) stats.Histogram { return l.Sent }, func(i int) uint64 { return v.Ranks[i].BytesSent }},
		{metric{"sctpmpi_received_message_size_bytes", histogram, "Lengths of the messages received."},
			func(l *stats.Lengths) stats.Histogram { return l.Received }, func(i int) uint64 { return v.Ranks[i].BytesReceived }},
	} {
		begun := false
		for i := range v.Ranks {
			if l := v.Ranks[i].Lengths; l != nil {
				if !begun {
					e.begin(m.metric)
					begun = true
				}
				e.buckets(m.of(l), m.sum(i), labels[i])
			}
		}
	}
}

// buckets adds a histogram to the metric.
func (e *exposition) buckets(h stats.Histogram, sum uint64, labels []string) {
	var below uint64
	place := 0
	for _, limit := range limits {
		for ; place <= limit; place++ {
			below += h.At(place)
		}
		e.addTo("_bucket", strconv.FormatUint(below, 10), append(labels, "le", e.number(float64(uint64(1)<<limit-1)))...)
	}
	all := strconv.FormatUint(h.Sum(), 10)
	e.addTo("_bucket", all, append(labels, "le", "+Inf")...)
	e.addTo("_sum", e.number(float64(sum)), labels...)
	e.addTo("_count", all, labels...)
}
