package bench

import (
	"context"
	"errors"
	"fmt"

	"github.com/sctpmpi/sctpmpi/cmd/internal/suite"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/othermpi"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/rank"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/sctprpi"
)

// contender is an implementation over one medium.
type contender struct {
	name, over string
	// job makes the job for some comparisons with a number of ranks.
	job func(ranks int, cs []comparison) suite.Job
}

// medium is what carries the messages of contenders that are compared with each other.
type medium struct {
	ours  string          // as the tables name it for our own transports
	peers othermpi.Medium // for the peers
	// variable makes our own transports use it.
	variable string
}

var (
	network = medium{"ours, network", othermpi.TCP, rpi.EnvSharedMemory + "=off"}
	shared  = medium{"ours, shared memory", othermpi.SharedMemory, rpi.EnvSharedMemory + "=auto"}
)

// ownContenders returns the transports of this library, over the network, and over shared memory the
// one that stands for those that use it: there the memory matters, not the transport.
func ownContenders(o Options) []contender {
	var all []contender
	for _, transport := range o.Transports {
		all = append(all, o.contender(transport, network))
	}
	for _, transport := range o.Transports {
		if transport == sctprpi.Name {
			all = append(all, o.contender(transport, shared))
		}
	}
	return all
}

// contender makes a contender of one of our transports.
func (o Options) contender(transport string, over medium) contender {
	return contender{transport, over.ours, func(ranks int, cs []comparison) suite.Job {
		s := setup{transport: transport, ranks: ranks, env: []string{over.variable}}
		for _, c := range cs {
			s.works = append(s.works, c.work)
		}
		if over == network {
			return o.job(s)
		}
		s.mode = "over " + string(over.peers)
		job := o.job(s)
		job.Run = sharing(job.Run)
		return job
	}}
}

// sharing makes a job fail whose ranks turn out to share no memory.
func sharing(run func(context.Context) ([]rank.Figures, error)) func(context.Context) ([]rank.Figures, error) {
	return func(ctx context.Context) ([]rank.Figures, error) {
		all, err := run(ctx)
		for _, f := range all {
			if f["shared_peers"] == 0 {
				return nil, fmt.Errorf("the ranks share no memory on this host: %w", errors.ErrUnsupported)
			}
		}
		return all, err
	}
}

// peerContenders returns the installed peers, over each medium.
func peerContenders(o Options, found []othermpi.Library) []contender {
	var all []contender
	for _, library := range found {
		for _, medium := range []othermpi.Medium{othermpi.TCP, othermpi.SharedMemory} {
			all = append(all, contender{library.Name, string(medium), func(ranks int, cs []comparison) suite.Job {
				job := othermpi.Job{Library: library, Medium: medium, Ranks: ranks, Duration: o.Duration}
				for _, c := range cs {
					job.Works = append(job.Works, c.peerWork())
				}
				return suite.Job{
					Name:    fmt.Sprintf("%s over %s, %d ranks", library.Name, medium, ranks),
					Foreign: true,
					Limit:   limit(len(cs), ranks, o.Duration), Run: job.Run,
				}
			}})
		}
	}
	return all
}

// compare makes the contender's job for comparisons with a number of ranks. Its figures go to the table.
func (ct contender) compare(t table, ranks int, cs []comparison) suite.Job {
	job := ct.job(ranks, cs)
	for _, c := range cs {
		job.Slots = append(job.Slots, suite.Slot{Point: t.Point(c.at(ct)...)})
	}
	run := job.Run
	job.Run = func(ctx context.Context) ([]rank.Figures, error) {
		all, err := run(ctx)
		for i := range all {
			all[i] = cs[i].figures(all[i])
		}
		return all, err
	}
	return job
}

// at is the place of a contender's figure in the table.
func (c comparison) at(ct contender) []any { return []any{c.key, c.unit, ct.name, ct.over} }
