// Probe is the program whose calls the way tool traces: two ranks that send each other messages of 8 bytes, one at a time.
// It is built by that tool.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"log"
	"os"
	"runtime/pprof"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/internal/way/internal/calls"
	"github.com/sctpmpi/sctpmpi/mpi"
)

// Traces are the calls of each Send and each Recv, in one rank.
type Traces struct{ Send, Recv [][]calls.Call }

func main() {
	out := flag.String("o", "", "the `file` for what rank 0 calls")
	rounds := flag.Int("rounds", 100, "round trips that are traced")
	spin := flag.Bool("spin", false, "trace messages that come soon after others")
	flag.Parse()
	log.SetFlags(0)
	err := mpi.Run(func(world *mpi.Comm) (err error) {
		pprof.Do(context.Background(), pprof.Labels("way", "traced"), func(context.Context) {
			err = run(world, *out, *rounds, *spin)
		})
		return err
	})
	if err != nil {
		log.Fatal("probe: ", err)
	}
}

// warm is how many round trips go before the first that is traced, and pause how long before the latter each Send waits: until
// the last message has been acknowledged. Where that takes longer, the ways of some messages are others. If the receiver is to spin,
// others go between the pause and the message.
const (
	warm   = 100
	pause  = 25 * time.Millisecond
	others = 4
)

func run(world *mpi.Comm, out string, rounds int, spin bool) error {
	var traces Traces
	turn := 1
	if spin {
		turn += others
	}
	buf, rank := make([]byte, 8), world.Rank()
	for i := range warm + turn*rounds {
		var err error
		traced := i >= warm && i%turn == turn-1
		trace := func(what func()) []calls.Call { what(); return nil }
		send := func() {
			if i >= warm && i%turn == 0 {
				time.Sleep(pause)
			}
			if sent := trace(func() { err = mpi.Send(world, buf, 1-rank, 0) }); traced {
				traces.Send = append(traces.Send, sent)
			}
		}
		recv := func() {
			if received := trace(func() { _, err = mpi.Recv(world, buf, 1-rank, 0) }); traced {
				traces.Recv = append(traces.Recv, received)
			}
		}
		first, second := send, recv
		if rank == 1 {
			first, second = recv, send
		} else if traced {
			trace = calls.Trace
		}
		if first(); err == nil {
			second()
		}
		if err != nil {
			return err
		}
	}
	if rank == 1 {
		return nil
	}
	b, err := json.Marshal(traces)
	if err != nil {
		return err
	}
	return os.WriteFile(out, b, 0o644)
}
