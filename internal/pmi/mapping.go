package pmi

import (
	"fmt"
	"strings"
)

// processMapping says which ranks are on which host in the way of MPICH: blocks of (node, nodes, ranks), each of which names so
// many nodes in a row with so many ranks in a row on each.
func processMapping(hosts []int) string {
	var b strings.Builder
	b.WriteString("(vector")
	for at := 0; at < len(hosts); {
		ranks := run(hosts[at:])
		nodes := 1
		for next := at + ranks; next < len(hosts) && hosts[next] == hosts[at]+nodes && run(hosts[next:]) == ranks; next += ranks {
			nodes++
		}
		fmt.Fprintf(&b, ",(%d,%d,%d)", hosts[at], nodes, ranks)
		at += nodes * ranks
	}
	b.WriteByte(')')
	return b.String()
}

// run is how many ranks in a row, from the first on, are on its host.
func run(hosts []int) int {
	n := 1
	for n < len(hosts) && hosts[n] == hosts[0] {
		n++
	}
	return n
}
