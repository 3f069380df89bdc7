package proxy

import (
	"encoding/json"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/internal/frame"
)

// clockQuestions is how often a host is asked for its time. The answer that takes least says most.
const clockQuestions = 8

// Clock is how a host's clock differs from that of this process.
type Clock struct {
	// Ahead is how far it is ahead, right up to Within, half of the time that the question has taken.
	Ahead, Within time.Duration
}

// Clock asks the host for its time. known is false if it is lost, or does not answer within patience.
func (h *Host) Clock(patience time.Duration) (best Clock, known bool) {
	late := time.NewTimer(patience)
	defer late.Stop()
	for range clockQuestions {
		asked := time.Now()
		h.conn.send(frame.Frame{Kind: frame.Clock})
		select {
		case there := <-h.clock:
			if c := clockOf(asked, time.Since(asked), there); !known || c.Within < best.Within {
				best, known = c, true
			}
		case <-h.over:
			return best, known
		case <-late.C:
			return best, known
		}
	}
	return best, known
}

// clockOf is what follows from an answer that has taken so long: the host has looked at its clock somewhen meanwhile.
func clockOf(asked time.Time, took time.Duration, there int64) Clock {
	return Clock{Ahead: time.Duration(there - asked.UnixNano() - int64(took/2)), Within: took / 2}
}

// hearClock takes the answer to a question; one that has not been asked is dropped.
func (h *Host) hearClock(payload []byte) error {
	var there int64
	if err := json.Unmarshal(payload, &there); err != nil {
		return err
	}
	select {
	case h.clock <- there:
	default:
	}
	return nil
}
