package stats

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/sctpmpi/sctpmpi/internal/hang"
)

// Sample is what a rank says of itself while the job runs, when the launcher asks (hang.AskSample). Counts are those since Init.
type Sample struct {
	// Hang is what the rank waits for.
	Hang hang.Rank `json:"hang"`
	// Elapsed is the time since Init, and Processor the time that the process has had processors for.
	Elapsed   time.Duration `json:"elapsed"`
	Processor time.Duration `json:"processor"`
	Traffic
	// Lengths are those of the messages, collective operations' among them, nil unless the rank counts them (mpirun --stats).
	Lengths *Lengths `json:"lengths,omitempty"`
	// Unexpected is how many messages are there now that no receive has taken.
	Unexpected int `json:"unexpected"`
	// Memory is what the process has resident, in bytes, 0 if it is not known.
	Memory uint64 `json:"memory"`
	// Resent is how many packets, or DATA chunks, have been sent once more, to all peers.
	Resent uint64 `json:"resent"`
	// Peers are connections over the network, the worst MaxPeers of them: first those that have sent most again, then those with
	// the longest round trip. MorePeers counts the others.
	Peers     []Peer `json:"peers,omitempty"`
	MorePeers int    `json:"morePeers,omitempty"`
	// Suspected are ranks of the job that this one suspects to be dead, the first MaxPeers of them.
	Suspected []int `json:"suspected,omitempty"`
}

// Peer is the connection with a peer.
type Peer struct {
	Rank      int           `json:"rank"`
	RoundTrip time.Duration `json:"rtt"`
	Resent    uint64        `json:"resent"`
}

// MaxPeers bounds the lists of a Sample.
const MaxPeers = 32

// Encode returns s as text of printable characters, hang.MaxEncoded bytes at most, with less in it if it is too long.
func (s Sample) Encode() string {
	slices.SortStableFunc(s.Peers, func(a, b Peer) int {
		return cmp.Or(cmp.Compare(b.Resent, a.Resent), cmp.Compare(b.RoundTrip, a.RoundTrip))
	})
	s.Suspected = s.Suspected[:min(len(s.Suspected), MaxPeers)]
	s.keep(MaxPeers)
	for {
		b, err := json.Marshal(s)
		switch {
		case err == nil && len(b) <= hang.MaxEncoded:
			return string(b)
		case len(s.Peers) > MaxPeers/4:
			s.keep(len(s.Peers) / 2)
		case s.Lengths != nil:
			s.Lengths = nil
		case len(s.Hang.Waits) > 1:
			s.Hang.Waits = s.Hang.Waits[:len(s.Hang.Waits)-1]
			s.Hang.More++
		default:
			s.Hang = hang.Rank{Rank: s.Hang.Rank, State: "has more to say than there is room for"}
		}
	}
}

// keep leaves so many peers, at most.
func (s *Sample) keep(most int) {
	if left := len(s.Peers) - most; left > 0 {
		s.Peers, s.MorePeers = s.Peers[:most], s.MorePeers+left
	}
}

// DecodeSample reads what Encode has written. It may come from any program.
func DecodeSample(text string) (Sample, error) {
	var s Sample
	if len(text) > hang.MaxEncoded {
		return s, errors.New("too long")
	}
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		return s, err
	}
	if s.Lengths != nil && (len(s.Lengths.Sent) > places || len(s.Lengths.Received) > places) {
		return s, fmt.Errorf("a histogram of more than %d places", places)
	}
	return s, s.Hang.Check()
}
