// Command ring passes a token around the ring of all ranks: the smallest program
// that sends and receives.
package main

import (
	"flag"
	"fmt"
	"log"

	"github.com/sctpmpi/sctpmpi/mpi"
)

var rounds = flag.Int("rounds", 3, "how often the token goes around")

func main() {
	log.SetFlags(0)
	flag.Parse()
	// Run makes this process a rank of the job. When its function returns an
	// error, Run ends the job, so that no other rank waits for this one.
	if err := mpi.Run(ring); err != nil {
		log.Fatal(err)
	}
}

// token is what goes around. Any type of fixed size can be sent as it is.
type token struct {
	Hops, Sum int
}

// ring passes the token on *rounds times. Each rank adds its number. An error ends the job: there is nothing else to be done about it.
func ring(world *mpi.Comm) error {
	const tag = 0
	me, size := world.Rank(), world.Size()
	next, previous := (me+1)%size, (me-1+size)%size
	if size == 1 {
		fmt.Println("a ring of one rank: start more of them with mpirun")
		return nil
	}
	var t token
	for range *rounds {
		// Rank 0 sends first and receives last; all others do it the other way
		// round. If all received first, each would wait for the one before it.
		if me > 0 {
			t, _ = mpi.Must2(mpi.RecvValue[token](world, previous, tag))
		}
		t.Hops++
		t.Sum += me
		mpi.Must(mpi.SendValue(world, t, next, tag))
		if me == 0 {
			t, _ = mpi.Must2(mpi.RecvValue[token](world, previous, tag))
			fmt.Printf("%d hops, sum %d\n", t.Hops, t.Sum)
		}
	}
	return nil
}
