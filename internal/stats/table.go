package stats

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/sctpmpi/sctpmpi/internal/hang"
)

// Table makes lines of text of what ranks have told, by rank: for each figure that of the whole job, and which rank has least
// and most of it. The last line names ranks that have told nothing, of size.
func Table(ranks map[int]Rank, size int) []string {
	if len(ranks) == 0 {
		return []string{"no rank has told its statistics: none has finalized"}
	}
	lines := []string{fmt.Sprintf("%-26s%14s%22s%22s", "", "all ranks", "least (rank)", "most (rank)")}
	for _, f := range slices.Concat(figures, distributions(ranks)) {
		if line := f.line(ranks); line != "" {
			lines = append(lines, line)
		}
	}
	if silent := missing(ranks, size); len(silent) > 0 {
		lines = append(lines, "no statistics of ranks that have not finalized: "+hang.List(silent))
	}
	return lines
}

// figure is a line of the table.
type figure struct {
	name  string
	value func(r Rank) float64
	text  func(value float64) string
	// over, unless nil, is what the value is a share of.
	over func(r Rank) float64
	// largest: the whole job has what one rank has most of, and not the sum.
	largest bool
	// optional: without any there is no line.
	optional bool
}

var figures = []figure{
	{name: "time in the job", value: func(r Rank) float64 { return r.Elapsed.Seconds() }, text: seconds, largest: true},
	{name: "share of it waiting", value: func(r Rank) float64 { return r.Waited.Seconds() }, text: percent,
		over: func(r Rank) float64 { return r.Elapsed.Seconds() }},
	{name: "processor time", value: func(r Rank) float64 { return r.Processor.Seconds() }, text: seconds},
	{name: "collector's share", value: func(r Rank) float64 { return r.Collector.Seconds() }, text: percent,
		over: func(r Rank) float64 { return r.Processor.Seconds() }},
	{name: "messages sent", value: func(r Rank) float64 { return float64(r.Sent) }, text: count},
	{name: "messages received", value: func(r Rank) float64 { return float64(r.Received) }, text: count},
	{name: "bytes sent", value: func(r Rank) float64 { return float64(r.BytesSent) }, text: bytes},
	{name: "bytes received", value: func(r Rank) float64 { return float64(r.BytesReceived) }, text: bytes},
	{name: "unexpected, at most", value: func(r Rank) float64 { return float64(r.MostUnexpected) }, text: count, largest: true},
	{name: "system calls", value: func(r Rank) float64 { return float64(r.SystemCalls) }, text: count},
	{name: "sockets", value: func(r Rank) float64 { return float64(r.Sockets) }, text: count},
	{name: "SCTP: DATA chunks", value: func(r Rank) float64 { return float64(r.Chunks) }, text: count, optional: true},
	{name: "SCTP: sent again", value: func(r Rank) float64 { return float64(r.Resent) }, text: percent,
		over: func(r Rank) float64 { return float64(r.Chunks) }, optional: true},
	{name: "SCTP: streams used", value: func(r Rank) float64 { return float64(r.Streams) }, text: count, optional: true},
	{name: "memory, at most", value: func(r Rank) float64 { return float64(r.Memory) }, text: bytes, optional: true},
}

// distributions are lines for each place of a histogram that any rank has something at.
func distributions(ranks map[int]Rank) (lines []figure) {
	for _, d := range []struct {
		name  string
		of    func(r Rank) Histogram
		place func(int) string
	}{
		{"sent", func(r Rank) Histogram { return r.PointToPoint.Sent }, Bytes},
		{"collective", func(r Rank) Histogram { return r.Collective.Sent }, Bytes},
		{"waits", func(r Rank) Histogram { return r.Waits }, Times},
	} {
		longest := 0
		for _, r := range ranks {
			longest = max(longest, len(d.of(r)))
		}
		for place := range longest {
			lines = append(lines, figure{
				name: d.name + ", " + d.place(place), text: count, optional: true,
				value: func(r Rank) float64 { return float64(d.of(r).At(place)) },
			})
		}
	}
	return lines
}

// line is the figure of all ranks. Of equal ones the lowest rank is named.
func (f *figure) line(ranks map[int]Rank) string {
	of := func(value, over float64) float64 {
		switch {
		case f.over == nil:
			return value
		case over == 0: // a share of nothing
			return 0
		}
		return value / over
	}
	var sum, sumOver, most, least float64
	atMost, atLeast := -1, -1
	for _, rank := range slices.Sorted(maps.Keys(ranks)) {
		r, over := ranks[rank], 0.0
		if f.over != nil {
			over = f.over(r)
		}
		sum, sumOver = sum+f.value(r), sumOver+over
		v := of(f.value(r), over)
		if atMost < 0 || v > most {
			most, atMost = v, rank
		}
		if atLeast < 0 || v < least {
			least, atLeast = v, rank
		}
	}
	whole := of(sum, sumOver)
	if f.largest {
		whole = most
	}
	if f.optional && sum == 0 && sumOver == 0 {
		return ""
	}
	return fmt.Sprintf("%-26s%14s%22s%22s", f.name, f.text(whole),
		fmt.Sprintf("%s (%d)", f.text(least), atLeast), fmt.Sprintf("%s (%d)", f.text(most), atMost))
}

// missing are the ranks below size that have told nothing.
func missing(ranks map[int]Rank, size int) (silent []int) {
	for rank := range size {
		if _, told := ranks[rank]; !told {
			silent = append(silent, rank)
		}
	}
	return silent
}

func seconds(s float64) string {
	return time.Duration(s * float64(time.Second)).Round(time.Millisecond).String()
}

func percent(share float64) string { return fmt.Sprintf("%.1f%%", 100*share) }

func count(n float64) string { return fmt.Sprintf("%.0f", n) }

func bytes(n float64) string {
	if n < 1<<10 {
		return fmt.Sprintf("%.0f B", n)
	}
	units := []string{"KiB", "MiB", "GiB", "TiB"}
	for n /= 1 << 10; n >= 1<<10 && len(units) > 1; units = units[1:] {
		n /= 1 << 10
	}
	return fmt.Sprintf("%.1f %s", n, units[0])
}
