// Command mandelbrot finds out which points belong to the Mandelbrot set. Rank 0, the
// manager, hands out rows of points, as some take much longer than others. The other
// ranks, the workers, may run this program or the one in C in worker/worker.c: on the
// wire there is no difference.
package main

import (
	"errors"
	"flag"
	"fmt"
	"log"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// A C program knows these as int64_t[3] and double[3].
type (
	size   struct{ Width, Height, Limit int64 } // points, and how often a point is moved at most
	region struct{ Left, Top, Step float64 }    // the first point, and the distance of two
)

// noRow tells a worker that there are no more rows.
const noRow = -1

func main() {
	log.SetFlags(0)
	points := flag.Int64("points", 300, "points in each direction")
	limit := flag.Int64("limit", 2000, "a point that is moved so often and stays near belongs to the set")
	flag.Parse()
	err := mpi.Run(func(world *mpi.Comm) error {
		if world.Rank() > 0 {
			return work(world)
		}
		set, moves, err := manage(world, size{*points, *points, *limit}, region{-2, -1.25, 2.5 / float64(*points)})
		if err == nil {
			fmt.Printf("%d×%d points, moved %d times by %d workers: %d belong to the set\n", *points, *points, moves, world.Size()-1, set)
		}
		return err
	})
	if err != nil {
		log.Fatal(err)
	}
}

// manage returns how many points belong to the set, and how often all workers have moved points.
func manage(world *mpi.Comm, s size, r region) (set int, moves int64, err error) {
	if world.Size() < 2 {
		return 0, 0, errors.New("there is no worker: start two ranks at least, by mpirun")
	}
	if err := share(world, &s, &r); err != nil {
		return 0, 0, err
	}
	next := int64(0)
	hand := func(worker int) error {
		row := next
		if next++; row >= s.Height {
			row = noRow
		}
		return mpi.SendValue(world, row, worker, 0)
	}
	for worker := 1; worker < world.Size(); worker++ {
		if err := hand(worker); err != nil {
			return 0, 0, err
		}
	}
	counts := make([]int64, s.Width) // for each point of a row, how often it has been moved
	for range s.Height {
		status, err := mpi.Recv(world, counts, mpi.AnySource, 0)
		if err != nil {
			return 0, 0, err
		}
		for _, n := range counts {
			if n == s.Limit {
				set++
			}
		}
		if err := hand(status.Source); err != nil {
			return 0, 0, err
		}
	}
	moves, err = mpi.ReduceValue(world, int64(0), mpi.Sum, 0)
	return set, moves, err
}

// work computes rows until there are no more.
func work(world *mpi.Comm) error {
	var s size
	var r region
	if err := share(world, &s, &r); err != nil {
		return err
	}
	counts, moves := make([]int64, s.Width), int64(0)
	for {
		row, _, err := mpi.RecvValue[int64](world, 0, 0)
		if err != nil {
			return err
		}
		if row == noRow {
			break
		}
		for i := range counts {
			counts[i] = escape(r.Left+float64(i)*r.Step, r.Top+float64(row)*r.Step, s.Limit)
			moves += counts[i]
		}
		if err := mpi.Send(world, counts, 0, 0); err != nil {
			return err
		}
	}
	_, err := mpi.ReduceValue(world, moves, mpi.Sum, 0)
	return err
}

// share tells all ranks what rank 0 knows.
func share(world *mpi.Comm, s *size, r *region) (err error) {
	if *s, err = mpi.BcastValue(world, *s, 0); err == nil {
		*r, err = mpi.BcastValue(world, *r, 0)
	}
	return err
}

// escape returns how often the point (a, b) is moved by z → z²+c until it is far away, limit at most.
func escape(a, b float64, limit int64) (n int64) {
	for x, y := 0.0, 0.0; n < limit && x*x+y*y <= 4; n++ {
		x, y = x*x-y*y+a, 2*x*y+b
	}
	return n
}
