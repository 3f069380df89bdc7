package metrics

import (
	"cmp"
	"fmt"
	"os"
	"strconv"

	"github.com/sctpmpi/sctpmpi/cmd/internal/sight"
	"github.com/sctpmpi/sctpmpi/cmd/internal/top"
	"github.com/sctpmpi/sctpmpi/internal/stats"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// reading is what is known of a rank.
type reading struct {
	*top.Row
	counts
	heldUp int // ranks that wait for it, and it does not
}

// perRank are metrics of each rank that has said something of itself.
var perRank = []struct {
	metric
	value func(r *reading) float64
}{
	{metric{"sctpmpi_messages_sent", counter, "Messages that sends to other ranks have begun, those of collective operations among them."},
		func(r *reading) float64 { return float64(r.sent) }},
	{metric{"sctpmpi_messages_received", counter, "Messages of other ranks that receives have taken."},
		func(r *reading) float64 { return float64(r.Received) }},
	{metric{"sctpmpi_sent_bytes", counter, "Bytes of the messages sent, without envelopes."},
		func(r *reading) float64 { return float64(r.bytesSent) }},
	{metric{"sctpmpi_received_bytes", counter, "Bytes of the messages received, without envelopes."},
		func(r *reading) float64 { return float64(r.BytesReceived) }},
	{metric{"sctpmpi_cpu_seconds", counter, "Time for which the process had processors."},
		func(r *reading) float64 { return r.Processor.Seconds() }},
	{metric{"sctpmpi_retransmissions", counter, "Packets, or DATA chunks, sent once more. Only SCTP's transports tell."},
		func(r *reading) float64 { return float64(r.resent) }},
	{metric{"sctpmpi_unexpected_messages", gauge, "Messages that are there and that no receive has taken."},
		func(r *reading) float64 { return float64(r.Unexpected) }},
	{metric{"sctpmpi_resident_memory_bytes", gauge, "Memory that the process has resident, 0 if it is not known."},
		func(r *reading) float64 { return float64(r.Memory) }},
	{metric{"sctpmpi_waiting_seconds", gauge, "For how long its longest call waits now, 0 if none does."}, waiting},
	{metric{"sctpmpi_held_up_ranks", gauge, "Ranks that wait for this one, directly or by others, while it does not wait itself."},
		func(r *reading) float64 { return float64(r.heldUp) }},
	{metric{"sctpmpi_sample_age_seconds", gauge, "How old what is known of the rank is, 0 if it has answered now."},
		func(r *reading) float64 { return r.Age.Seconds() }},
}

func waiting(r *reading) float64 {
	if !r.Waits() {
		return 0
	}
	return r.Wait().Time.Seconds()
}

// mostRanksWithPeers bounds the jobs in which there are series of each pair of ranks: those in which a rank can tell of all its peers.
const mostRanksWithPeers = stats.MaxPeers + 1

// exposition makes text of a view.
func (v *view) exposition(open bool) []byte {
	e := exposition{open: open}
	e.begin(metric{"sctpmpi_job_info", gauge, "Which job it is: always 1."})
	e.add(1, "program", v.Name, "mpirun_pid", strconv.Itoa(v.Pid), "version", rpi.Version())
	e.begin(metric{"sctpmpi_job_start_time_seconds", gauge, "When mpirun was started, since 1970."})
	e.add(float64(v.Started.UnixMilli()) / 1000)
	e.begin(metric{"sctpmpi_job_hosts", gauge, "Hosts of the job."})
	e.add(float64(v.Hosts))
	v.states(&e)
	readings, labels := v.readings(), v.labels()
	for _, m := range perRank {
		e.begin(m.metric)
		for i := range readings {
			if readings[i].Known {
				e.add(m.value(&readings[i]), labels[i]...)
			}
		}
	}
	v.paths(&e, labels)
	v.lengths(&e, labels)
	return e.end()
}

// readings are what is known of all ranks.
func (v *view) readings() []reading {
	all := make([]reading, len(v.Ranks))
	for i := range v.Ranks {
		all[i] = reading{Row: &v.Ranks[i], counts: v.counts[i]}
	}
	for _, h := range v.Holding {
		all[h.Rank].heldUp = h.Waiting
	}
	return all
}

// labels are those of the ranks. The host of a job that has one is this one.
func (v *view) labels() [][]string {
	here, _ := os.Hostname()
	all := make([][]string, len(v.Ranks))
	for i := range v.Ranks {
		all[i] = []string{"rank", strconv.Itoa(v.Ranks[i].Rank.Rank), "host", cmp.Or(v.Ranks[i].Host, here)}
	}
	return all
}

// states says which state each rank is in, by a series for each that it may be in.
func (v *view) states(e *exposition) {
	numbers, labels := make(map[sight.State]int), v.labels()
	for i := range v.Ranks {
		numbers[v.Ranks[i].State]++
	}
	e.begin(metric{"sctpmpi_ranks", gauge, "Ranks of the job that are in a state."})
	for _, state := range sight.States {
		e.add(float64(numbers[state]), "state", string(state))
	}
	e.begin(metric{"sctpmpi_rank_state", gauge, "1 for the state that the rank is in, 0 for all others."})
	for i := range v.Ranks {
		for _, state := range sight.States {
			is := 0.0
			if v.Ranks[i].State == state {
				is = 1
			}
			e.add(is, append(labels[i], "state", string(state))...)
		}
	}
}

// paths are the connections over the network.
func (v *view) paths(e *exposition, labels [][]string) {
	e.begin(metric{"sctpmpi_round_trip_max_seconds", gauge, "Longest round trip of the connections of the rank over the network."})
	for i := range v.Ranks {
		if len(v.Ranks[i].Peers) > 0 {
			e.add(v.Ranks[i].RoundTrip.Seconds(), labels[i]...)
		}
	}
	bound := fmt.Sprintf(" Not in jobs of more than %d ranks.", mostRanksWithPeers)
	each := func(m metric, value func(p stats.Peer) float64) {
		m.help += bound
		e.begin(m)
		for i := range v.Ranks {
			for _, p := range v.Ranks[i].Peers {
				if v.Size <= mostRanksWithPeers {
					e.add(value(p), append(labels[i], "peer", strconv.Itoa(p.Rank))...)
				}
			}
		}
	}
	each(metric{"sctpmpi_peer_round_trip_seconds", gauge, "Round trip of the connection with a peer."},
		func(p stats.Peer) float64 { return p.RoundTrip.Seconds() })
	each(metric{"sctpmpi_peer_retransmissions", counter, "Packets, or DATA chunks, sent once more to a peer."},
		func(p stats.Peer) float64 { return float64(p.Resent) })
}
