package bench

import (
	"context"
	"fmt"

	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/peers"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/rank"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/suite"
)

// contender is an implementation over one medium.
type contender struct {
	name, over string
	// job makes the job that does the work of some comparisons in so many ranks.
	job func(ranks int, cs []comparison) suite.Job
}

// ours is what our own transports run over, to tell them from the peers.
const ours = "ours"

// ourselves are this library's transports.
func ourselves(o Options) []contender {
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

// others are the peers that were found, over each medium.
func others(o Options, found []peers.Peer) []contender {
	var all []contender
	for _, peer := range found {
		for _, medium := range []peers.Medium{peers.TCP, peers.SharedMemory} {
			all = append(all, contender{peer.Name, string(medium), func(ranks int, cs []comparison) suite.Job {
				job := peers.Job{Peer: peer, Medium: medium, Ranks: ranks, Duration: o.Duration}
				for _, c := range cs {
					job.Works = append(job.Works, c.peerWork())
				}
				return suite.Job{
					Name:    fmt.Sprintf("%s over %s, %d ranks", peer.Name, medium, ranks),
					Foreign: true,
					Limit:   limit(len(cs), ranks, o.Duration), Run: job.Run,
				}
			}})
		}
	}
	return all
}

// compare makes a contender's job with so many ranks, whose figures go to the table.
func (who contender) compare(t table, ranks int) suite.Job {
	cs := withRanks(ranks)
	job := who.job(ranks, cs)
	for _, c := range cs {
		job.Slots = append(job.Slots, suite.Slot{Point: t.Point(c.at(who)...)})
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

// at is where a contender's figure is in the table.
func (c comparison) at(who contender) []any { return []any{c.key, c.unit, who.name, who.over} }
