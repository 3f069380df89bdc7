package metrics

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/sctpmpi/sctpmpi/cmd/internal/sight"
	"github.com/sctpmpi/sctpmpi/internal/hang"
	"github.com/sctpmpi/sctpmpi/internal/stats"
)

// jobOf is a job that has run for so many seconds: each rank waits for the one before, but rank 0, and has connections with its neighbours.
func jobOf(size, seconds int) sight.Job {
	begun := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	n := uint64(seconds)
	job := sight.Job{Pid: 17, Name: `a "farm"`, Size: size, Hosts: 2, Started: begun, Taken: begun.Add(time.Duration(seconds) * time.Second)}
	for i := range size {
		r := sight.Rank{Rank: i, Host: "host-a", Pid: 100 + i, State: sight.Computing, Known: true, Sample: stats.Sample{
			Elapsed: time.Duration(seconds) * time.Second, Processor: time.Duration(seconds) * time.Second / 2,
			Traffic: stats.Traffic{Sent: 10 * n, Received: 10 * n, BytesSent: 5000 * n, BytesReceived: 5000 * n}, Unexpected: 3, Memory: 20 << 20, Resent: n,
			Peers: []stats.Peer{{Rank: (i + 1) % size, RoundTrip: 2 * time.Millisecond, Resent: n}, {Rank: (i + size - 1) % size, RoundTrip: time.Millisecond}},
		}}
		if i > 0 {
			r.State = sight.Waiting
			r.Hang.Waits = []hang.Wait{{In: "Recv", For: "from the rank before", Peers: []int{i - 1}, Time: 1500 * time.Millisecond}}
		}
		job.Ranks = append(job.Ranks, r)
	}
	return job
}

// watching is a watch on a job in which time goes on with each look, and how often it was looked at.
func watching(size int) (w *watch, looks *int) {
	looks = new(int)
	return &watch{look: func() (sight.Job, bool) {
		*looks++
		return jobOf(size, *looks), true
	}}, looks
}

// get is what an http.Handler answers.
func get(h http.Handler, path string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	r.Host = "localhost:9100"
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
		if header[i] == "Host" {
			r.Host = header[i+1]
		}
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestAJobThatHasEndedIsNoJob(t *testing.T) {
	mux := newMux(&watch{look: func() (sight.Job, bool) { return sight.Job{}, false }})
	for _, path := range []string{"/metrics", "/sample.json"} {
		answer := get(mux, path)
		assert.Equal(t, http.StatusServiceUnavailable, answer.Code)
		assert.Equal(t, "the job has ended\n", answer.Body.String())
	}
}
