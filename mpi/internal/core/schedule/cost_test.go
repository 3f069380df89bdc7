package schedule_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule"
)

// all are the operations of this package's tests.
var all = map[string]collective{
	"barrier": barrier, "bcast": bcast, "reduce": reduce, "allreduce": allreduce, "reducescatterblock": reduceScatterBlock,
	"reducescatter": reduceScatter, "scan": scan, "exscan": exscan,
}

// A builder that has built a schedule builds it again without allocating.
func TestBuildingAllocatesNothing(t *testing.T) {
	hosts := make([]int32, 12)
	for i := range hosts {
		hosts[i] = int32(i % 3)
	}
	r := schedule.Ranks{Me: 5, Size: len(hosts), Hosts: schedule.NewHosts(hosts, 5)}
	for name, o := range all {
		for _, choice := range append(append(o.choices[:len(o.choices):len(o.choices)], o.commuting...), schedule.Choice{}) {
			for _, r := range []schedule.Ranks{r, {Me: 5, Size: 12}} {
				c := input{n: 12, root: 3, Vector: schedule.Vector{Count: 100, Elem: 8}, counts: make([]int, 12)}
				c.op = schedule.Op{Commutes: true, Exact: true}
				in, out := o.lengths(c, 5)
				var b schedule.Builder
				b.Force(o.operation, choice)
				assert.Zero(t, testing.AllocsPerRun(20, func() {
					b.Reset()
					o.build(&b, r, schedule.Part{Buffer: schedule.In, Length: in}, schedule.Part{Buffer: schedule.Out, Length: out}, c)
					b.Schedule()
				}), "%s %v", name, choice)
			}
		}
	}
}

func BenchmarkBuild(b *testing.B) {
	for _, bytes := range []int{8, 1 << 20} {
		for _, name := range []string{"barrier", "bcast", "reduce", "allreduce", "reducescatterblock", "scan"} {
			o := all[name]
			b.Run(fmt.Sprintf("%s/%d", name, bytes), func(b *testing.B) {
				c := input{n: 8, Vector: schedule.Vector{Count: bytes / 8, Elem: 8}, op: schedule.Op{Commutes: true}}
				in, out := o.lengths(c, 5)
				var builder schedule.Builder
				b.ReportAllocs()
				for b.Loop() {
					builder.Reset()
					o.build(&builder, schedule.Ranks{Me: 5, Size: 8}, schedule.Part{Buffer: schedule.In, Length: in},
						schedule.Part{Buffer: schedule.Out, Length: out}, c)
					builder.Schedule()
				}
			})
		}
	}
}
