//go:build unix

package pmi

import (
	"context"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/sctpmpi/sctpmpi/internal/signals"
)

// hydraVariable is one that Hydra sets, and no other launcher of those that speak PMI-1.
const hydraVariable = "MPI_LOCALNRANKS"

// deadKey is the key under which Hydra has the ranks that have died, such as "1,4-6".
const deadKey = "PMI_dead_processes"

// hydraPause is how long a rank waits after the signal before it asks. When a rank has been killed, Hydra 4.0.2 kills those on the same host
// right after the signal, and ends the job with an error if one of them has asked meanwhile.
const hydraPause = 100 * time.Millisecond

// watchHydra has notice called for each rank that dies, as by a Server, if Hydra is the launcher. Hydra sends SIGUSR1 to all ranks when one
// dies, if it is not to end them (-disable-auto-cleanup).
func (c *Client) watchHydra(notice func(what string)) {
	if os.Getenv(hydraVariable) == "" || notice == nil {
		return
	}
	got, stop := signals.Notify(syscall.SIGUSR1)
	go func() {
		defer stop()
		told := make(map[int]bool)
		for {
			select {
			case <-got:
			case <-c.over:
				return
			}
			time.Sleep(hydraPause)
			reply, _ := c.call(context.Background(), "get_result", format("get", "kvsname", c.kvsName, "key", deadKey))
			value, _ := reply.get("value") // none if that has failed
			for _, rank := range parseDead(value, c.size) {
				if !told[rank] {
					told[rank] = true
					notice(deathNotice + strconv.Itoa(rank))
				}
			}
		}
	}()
}

// parseDead reads a list of ranks below size, and of ranges of them. What is no such thing is passed over.
func parseDead(list string, size int) (ranks []int) {
	seen := make([]bool, size)
	for part := range strings.SplitSeq(list, ",") {
		first, last, isRange := strings.Cut(part, "-")
		if !isRange {
			last = first
		}
		from, err := strconv.Atoi(first)
		if err != nil || from < 0 {
			continue
		}
		to, err := strconv.Atoi(last)
		if err != nil {
			continue
		}
		for rank := from; rank <= min(to, size-1); rank++ {
			if !seen[rank] {
				seen[rank], ranks = true, append(ranks, rank)
			}
		}
	}
	return ranks
}
