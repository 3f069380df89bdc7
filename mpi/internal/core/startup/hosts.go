package startup

import (
	"context"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Hosts returns the number of each rank's host, the same on all ranks, as far as the launcher says it: mpirun in
// SCTPMPI_LOCAL_SIZE, others when they are asked. Nil: it does not say.
func Hosts(ctx context.Context, l Launcher) []int32 {
	if l.Size() == 1 || os.Getenv(rpi.EnvLocalSize) == strconv.Itoa(l.Size()) {
		return make([]int32, l.Size())
	}
	return l.Hosts(ctx)
}

// OneHost reports whether all ranks are known to be on one host.
func OneHost(hosts []int32) bool {
	return len(hosts) > 0 && !slices.ContainsFunc(hosts, func(host int32) bool { return host != hosts[0] })
}

// mappedHosts reads a mapping, (vector,(node,nodes,ranks),…): each block names so many nodes in a row with so many ranks
// in a row on each. Where the blocks end before the ranks do they begin again. Nil if it cannot be read.
func mappedHosts(mapping string, size int) []int32 {
	text, found := strings.CutPrefix(strings.ReplaceAll(mapping, " ", ""), "(vector,(")
	text, closed := strings.CutSuffix(text, "))")
	if !found || !closed {
		return nil
	}
	var blocks [][3]int
	for block := range strings.SplitSeq(text, "),(") {
		fields := strings.Split(block, ",")
		if len(fields) != 3 {
			return nil
		}
		var b [3]int
		for i, field := range fields {
			n, err := strconv.ParseUint(field, 10, 30)
			if err != nil || i > 0 && n == 0 {
				return nil
			}
			b[i] = int(n)
		}
		blocks = append(blocks, b)
	}
	hosts := make([]int32, 0, size)
	for i := 0; len(hosts) < size; i++ {
		node, nodes, ranks := blocks[i%len(blocks)][0], blocks[i%len(blocks)][1], blocks[i%len(blocks)][2]
		for n := 0; n/ranks < nodes && len(hosts) < size; n++ {
			hosts = append(hosts, int32(node+n/ranks))
		}
	}
	return hosts
}
