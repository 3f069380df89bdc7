package job

import (
	"fmt"
	"os"

	"github.com/sctpmpi/sctpmpi/mpi/hang"
	"github.com/sctpmpi/sctpmpi/mpi/trace"
)

// checkTrace finds out before the job begins whether its trace can be written.
func (s *Spec) checkTrace() error {
	if s.Trace == "" {
		return nil
	}
	file, err := os.Create(s.Trace)
	if err != nil {
		return fmt.Errorf("--trace: %w", err)
	}
	for number := range s.size() { // of an earlier job
		_ = os.Remove(trace.FileOf(s.Trace, number))
	}
	return file.Close()
}

// joinTraces makes one file of what the ranks have recorded.
func (j *job) joinTraces() {
	if j.spec.Trace == "" || len(j.ranks) == 0 {
		return
	}
	missing, err := trace.Join(j.spec.Trace, j.spec.size())
	switch {
	case err != nil:
		j.stderr.Println(fmt.Sprintf("mpirun: --trace: %v", err))
	case len(missing) == j.spec.size():
		j.stderr.Println("mpirun: --trace: no rank of this host has recorded anything: are they programs of this library?")
	default:
		j.stderr.Println(fmt.Sprintf("mpirun: the trace is in %s: open it at https://ui.perfetto.dev", j.spec.Trace))
		if len(missing) > 0 {
			j.stderr.Println(fmt.Sprintf("mpirun: ranks that are not in it: %s; those on other hosts have left their parts there, in %s.RANK",
				hang.List(missing), j.spec.Trace))
		}
	}
}
