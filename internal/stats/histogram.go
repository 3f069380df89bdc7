package stats

import (
	"fmt"
	"time"
)

// Histogram counts values by powers of two: the first place has the zeros, place i those from 2^(i-1) to 2^i - 1. It ends with the
// largest.
type Histogram []uint64

// places is how many a histogram has at most: those of values of 64 bits.
const places = 65

// Lengths are those of messages in bytes. The sums are Sent and Received of a Rank, for both kinds together.
type Lengths struct {
	Sent     Histogram `json:"sent"`
	Received Histogram `json:"received"`
}

// Counted takes the places of a histogram up to the last that is not empty.
func Counted(all []uint64) Histogram {
	for len(all) > 0 && all[len(all)-1] == 0 {
		all = all[:len(all)-1]
	}
	return append(Histogram{}, all...)
}

// At is how many values are at a place.
func (h Histogram) At(place int) uint64 {
	if place >= len(h) {
		return 0
	}
	return h[place]
}

// Sum is how many values there are.
func (h Histogram) Sum() (all uint64) {
	for _, n := range h {
		all += n
	}
	return all
}

// Bytes is the range of a place for lengths, such as "8-15 B".
func Bytes(place int) string {
	switch {
	case place <= 1:
		return fmt.Sprintf("%d B", place)
	case place <= 10:
		return fmt.Sprintf("%d-%d B", 1<<(place-1), 1<<place-1)
	}
	units := []string{"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}
	unit, bit := units[(place-1)/10-1], (place-1)%10
	return fmt.Sprintf("%d-%d %s", 1<<bit, 2<<bit, unit)
}

// Times is the range of a place for times in nanoseconds, such as "1.02µs-2.05µs".
func Times(place int) string {
	if place == 0 {
		return "0"
	}
	text := func(ns float64) string {
		unit := time.Nanosecond
		for _, larger := range []time.Duration{time.Microsecond, time.Millisecond, time.Second} {
			if ns >= float64(larger) {
				unit = larger
			}
		}
		name := map[time.Duration]string{time.Nanosecond: "ns", time.Microsecond: "µs", time.Millisecond: "ms", time.Second: "s"}[unit]
		return fmt.Sprintf("%.3g%s", ns/float64(unit), name)
	}
	from := float64(uint64(1) << (place - 1))
	return text(from) + "-" + text(2*from)
}
