package metrics

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/internal/sight"
	"github.com/sctpmpi/sctpmpi/cmd/internal/top"
)

// maxPoints bounds the timeline: a quarter of an hour, when a page is open.
const maxPoints = 900

// point is all ranks together at one time, with the rates since the look before.
type point struct {
	at time.Time
	// messages and bytes are those sent in a second, processors how many the ranks had.
	messages, bytes, processors float64
	computing, waiting          int
}

func newPoint(r *top.Report) point {
	p := point{at: r.Taken}
	for i := range r.Ranks {
		row := &r.Ranks[i]
		p.messages, p.bytes, p.processors = p.messages+row.SentRate, p.bytes+row.BytesSentRate, p.processors+row.Processors
		switch row.State {
		case sight.Computing:
			p.computing++
		case sight.Waiting:
			p.waiting++
		}
	}
	return p
}

// lengthened is a timeline with a point more, and without those for which there is no room. Others may read the old one.
func lengthened(line []point, p point) []point {
	line = line[max(0, len(line)+1-maxPoints):]
	return append(slices.Clip(line), p)
}

// MarshalJSON makes [milliseconds since 1970, messages/s, bytes/s, processors, computing, waiting].
func (p point) MarshalJSON() ([]byte, error) {
	return json.Marshal([]float64{float64(p.at.UnixMilli()), rounded(p.messages), rounded(p.bytes), rounded(p.processors), float64(p.computing), float64(p.waiting)})
}

// since are the points after a time in milliseconds since 1970.
func since(line []point, after int64) []point {
	i := slices.IndexFunc(line, func(p point) bool { return p.at.UnixMilli() > after })
	if i < 0 {
		return []point{}
	}
	return line[i:]
}
