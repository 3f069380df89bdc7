// Package stats is what a rank tells its launcher of its part in a job, and the table and the JSON that mpirun --stats makes of it. It
// is for package mpi and for commands, not for programs: those have Comm.Usage.
package stats

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// Key begins the answer that has a Rank, which no question has asked for: pmi.Client.Answer.
const Key = "stats"

// Rank is what one rank has counted from Init to Finalize.
type Rank struct {
	// Elapsed is the time in the job.
	Elapsed time.Duration `json:"elapsed"`
	// Waited is how long calls have waited for messages, and have looked for them: the sum over the goroutines that did, so it
	// may exceed Elapsed. Calls that found at once what they wanted do not count.
	Waited time.Duration `json:"waited"`
	// Processor is the time that the process has had processors for, and Collector the part of it for collecting garbage.
	Processor time.Duration `json:"processor"`
	Collector time.Duration `json:"collector"`
	Traffic
	// MostUnexpected is that of an rpi.Snapshot.
	MostUnexpected int `json:"unexpected"`
	// PointToPoint and Collective are the lengths of these messages: those of the program's sends and receives, and those that
	// collective and one-sided operations exchange.
	PointToPoint Lengths `json:"pointToPoint"`
	Collective   Lengths `json:"collective"`
	// Waits is how long calls have waited for messages until they were woken, in nanoseconds.
	Waits Histogram `json:"waits"`
	// SystemCalls and Sockets are those of an rpi.Usage.
	SystemCalls uint64 `json:"calls"`
	Sockets     int    `json:"sockets"`
	// Chunks is how many DATA chunks the SCTP socket has sent, and Resent how many it has sent once more, because they were
	// lost or seemed so, over the associations that there are at the end.
	Chunks uint64 `json:"chunks"`
	Resent uint64 `json:"resent"`
	// Streams is that of an rpi.Usage.
	Streams int `json:"streams"`
	// Memory is the most that the process has had resident, in bytes; 0 if it is not known.
	Memory uint64 `json:"memory"`
}

// Traffic is what a rank has exchanged: Sent and Received are MessagesSent and MessagesReceived of an rpi.Snapshot, the others are its too.
type Traffic struct {
	Sent          uint64 `json:"sent"`
	Received      uint64 `json:"received"`
	BytesSent     uint64 `json:"bytesSent"`
	BytesReceived uint64 `json:"bytesReceived"`
}

// Encode makes a text of one line: mostly a kilobyte, seven at most.
func (r Rank) Encode() string {
	b, _ := json.Marshal(r) // never fails
	return Key + " " + string(b)
}

// Decode makes a Rank of what Encode has made. found: the text begins as one does.
func Decode(text string) (r Rank, found bool, err error) {
	body, found := strings.CutPrefix(text, Key+" ")
	if !found {
		return Rank{}, false, nil
	}
	if json.Unmarshal([]byte(body), &r) != nil {
		return Rank{}, true, errors.New("its statistics are no JSON")
	}
	for _, h := range []Histogram{r.PointToPoint.Sent, r.PointToPoint.Received, r.Collective.Sent, r.Collective.Received, r.Waits} {
		if len(h) > places {
			return Rank{}, true, fmt.Errorf("its statistics have a histogram of more than %d places", places)
		}
	}
	return r, true, nil
}

// Job is what the ranks of a job have told.
type Job struct {
	Size int `json:"size"`
	// Ranks has no entry for ranks that have told nothing, as they have not finalized.
	Ranks map[int]Rank `json:"ranks"`
}

// Write writes a Job as one JSON object.
func (j Job) Write(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(j)
}
