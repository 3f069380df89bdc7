package metrics

import (
	"encoding/json"
	"math"

	"github.com/sctpmpi/sctpmpi/cmd/internal/sight"
	"github.com/sctpmpi/sctpmpi/cmd/internal/top"
)

// sample is what the page shows. Times are in seconds, rates each a second.
type sample struct {
	Name    string        `json:"name"`
	Pid     int           `json:"pid"`
	Size    int           `json:"size"`
	Hosts   int           `json:"hosts"`
	Started int64         `json:"started"` // milliseconds since 1970
	Running float64       `json:"running"`
	Ranks   []rank        `json:"ranks"`
	Holding []top.Holding `json:"holding"`
	// Paths are connections over the network: from, to, round trip, sent again. MorePaths counts those that ranks have left out.
	Paths     [][4]float64 `json:"paths"`
	MorePaths int          `json:"morePaths"`
}

// rank is a line of the table, and of the matrix.
type rank struct {
	Rank       int         `json:"rank"`
	Host       string      `json:"host,omitempty"`
	State      sight.State `json:"state"`
	Known      bool        `json:"known"`
	Processors float64     `json:"processors"`
	Memory     uint64      `json:"memory"`
	Sent       float64     `json:"sent"`
	Received   float64     `json:"received"`
	Out        float64     `json:"out"` // bytes
	In         float64     `json:"in"`
	Unexpected int         `json:"unexpected"`
	Resent     uint64      `json:"resent"`
	RoundTrip  float64     `json:"rtt"`
	// Doing says what it waits for, Waited for how long. Peers are the ranks that it waits for, or Any.
	Doing  string  `json:"doing,omitempty"`
	Waited float64 `json:"waited"`
	Peers  []int   `json:"peers,omitempty"`
	Any    bool    `json:"any,omitempty"`
}

// json makes a sample of a view.
func (v *view) json() []byte {
	s := sample{
		Name: v.Name, Pid: v.Pid, Size: v.Size, Hosts: v.Hosts, Started: v.Started.UnixMilli(), Running: rounded(v.Taken.Sub(v.Started).Seconds()),
		Ranks: make([]rank, len(v.Ranks)), Holding: v.Holding, Paths: [][4]float64{},
	}
	for i := range v.Ranks {
		row := &v.Ranks[i]
		r := rank{
			Rank: row.Rank.Rank, Host: row.Host, State: row.State, Known: row.Known, Processors: rounded(row.Processors), Memory: row.Memory,
			Sent: rounded(row.SentRate), Received: rounded(row.ReceivedRate), Out: rounded(row.BytesSentRate), In: rounded(row.BytesReceivedRate),
			Unexpected: row.Unexpected, Resent: v.counts[i].resent, RoundTrip: rounded(row.RoundTrip.Seconds()), Doing: row.Doing(),
		}
		if row.Waits() {
			r.Waited = rounded(row.Wait().Time.Seconds())
			for _, w := range row.Hang.Waits {
				r.Peers, r.Any = append(r.Peers, w.Peers...), r.Any || w.Any
			}
		}
		for _, p := range row.Peers {
			s.Paths = append(s.Paths, [4]float64{float64(r.Rank), float64(p.Rank), rounded(p.RoundTrip.Seconds()), float64(p.Resent)})
		}
		s.MorePaths += row.MorePeers
		s.Ranks[i] = r
	}
	b, _ := json.Marshal(s) // never fails
	return b
}

// answer is a sample with the points of the timeline that the page has not seen.
func (v *view) answer(after int64) []byte {
	b, _ := json.Marshal(struct { // never fails
		Interval float64         `json:"interval"`
		Sample   json.RawMessage `json:"sample"`
		Timeline []point         `json:"timeline"`
	}{leastInterval.Seconds(), v.sample(), since(v.timeline, after)})
	return b
}

// rounded leaves of a number what can be seen on a page: steps of a microsecond, or of a millionth.
func rounded(x float64) float64 { return math.Round(x*1e6) / 1e6 }
