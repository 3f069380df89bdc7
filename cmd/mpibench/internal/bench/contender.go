package bench

import (
	"context"
	"fmt"

	"github.com/sctpmpi/sctpmpi/cmd/internal/suite"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/othermpi"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/rank"
)

// contender is an implementation over one medium.
type contender struct {
	name, over string
	// job makes the job for some comparisons with a number of ranks.
	job func(ranks int, cs []comparison) suite.Job
}

// ours stands for the medium of our own transports, and distinguishes them from the peers.
const ours = "ours"

// ownContenders returns the transports of this library.
func ownContenders(o Options) []contender {
	var all []contender
	for _, transport := range o.Transports {
		all = append(all, contender{transport, ours, func(ranks int, cs []comparison) suite.Job {
			var works []rank.Work
			for _, c := range cs {
				works = append(works, c.work)
			}
			return o.job(setup{transport: transport, ranks: ranks}, works, nil)
		}})
	}
	return all
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

// compare makes the contender's job with a number of ranks. Its figures go to the table.
func (ct contender) compare(t table, ranks int) suite.Job {
	cs := withRanks(ranks)
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
