package job

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/sctpmpi/sctpmpi/internal/hang"
	"github.com/sctpmpi/sctpmpi/internal/trace"
)

// checkTrace finds out before the job begins whether its trace can be written.
func (s *Spec) checkTrace() error {
	if s.Trace == "" {
		return nil
	}
	file, err := trace.CreateWhole(s.Trace)
	if err != nil {
		return fmt.Errorf("--trace: %w", err)
	}
	if err := errors.Join(trace.Clear(s.Trace, s.size()), file.Close()); err != nil {
		return fmt.Errorf("--trace: %w", err)
	}
	return nil
}

// joinTraces makes one file of what the ranks have recorded.
func (j *job) joinTraces() {
	if j.spec.Trace == "" || len(j.ranks) == 0 {
		return
	}
	j.sayNotWhole("--trace", func(r *remote) error { return r.traceLost })
	clocks, within := j.clocks()
	missing, err := trace.Join(j.spec.Trace, j.spec.size(), func(rank int) time.Duration { return clocks[rank] })
	switch {
	case err != nil:
		j.stderr.Println(fmt.Sprintf("mpirun: --trace: %v", err))
	case len(missing) == j.spec.size():
		j.stderr.Println("mpirun: --trace: no rank has recorded anything: are they programs of this library?")
	default:
		j.stderr.Println(fmt.Sprintf("mpirun: the trace is in %s: open it at https://ui.perfetto.dev", j.spec.Trace))
		if len(missing) > 0 {
			j.stderr.Println("mpirun: ranks that are not in it, as they have recorded nothing or their host was lost: " + hang.List(missing))
		}
		if within > 0 {
			j.stderr.Println(fmt.Sprintf("mpirun: its times are those of this host's clock; those of other hosts are right up to %v", within))
		}
	}
}

// sayNotWhole names the hosts whose records for an option are not all here, and why.
func (j *job) sayNotWhole(option string, lost func(r *remote) error) {
	for _, r := range j.remotes {
		if err := lost(r); err != nil {
			j.stderr.Println(fmt.Sprintf("mpirun: %s: what comes from host %s is not whole: %v", option, r.Name, err))
		}
	}
}

// fetchRecords gets the traces and profiles of the ranks of another host, as soon as that is told to finish. For a trace it finds out
// before how the host's clock differs. done is closed when all is there.
func (j *job) fetchRecords(r *remote) (done <-chan struct{}) {
	var traces, profiles []io.Reader
	if j.spec.Trace != "" {
		r.clock, _ = r.proxy.Clock(abandonTime)
		for _, rank := range r.Ranks {
			traces = append(traces, r.proxy.Trace(rank))
		}
	}
	if j.spec.Profile != "" {
		for _, rank := range r.Ranks {
			profiles = append(profiles, r.proxy.Profile(rank))
		}
	}
	fetched := make(chan struct{})
	go func() {
		defer close(fetched)
		for i, from := range traces {
			r.traceLost = cmp.Or(r.traceLost, trace.Save(j.spec.Trace, r.Ranks[i], from))
		}
		for i, from := range profiles {
			r.profileLost = cmp.Or(r.profileLost, saveProfile(j.spec.profileOf(r.Ranks[i]), from))
		}
	}()
	return fetched
}

// clocks is how far that of each rank's host is ahead of this one's, by rank; within is how exactly that is known of the worst one.
func (j *job) clocks() (ahead map[int]time.Duration, within time.Duration) {
	ahead = make(map[int]time.Duration)
	for _, r := range j.remotes {
		for _, rank := range r.Ranks {
			ahead[rank] = r.clock.Ahead
		}
		within = max(within, r.clock.Within)
	}
	return ahead, within
}
