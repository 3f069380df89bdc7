package mpi_test

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// One number of each rank needs no slice.
func ExampleAllreduceValue() {
	err := mpi.RunLocal(4, func(world *mpi.Comm) error {
		sum, err := mpi.AllreduceValue(world, world.Rank()+1, mpi.Sum)
		if err != nil {
			return err
		}
		all, err := mpi.AllgatherValues(world, sum*world.Rank())
		if err != nil {
			return err
		}
		if world.Rank() == 0 {
			fmt.Println(sum, all)
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: 10 [0 10 20 30]
}

// A program that can do nothing about an error leaves it to Must: the job ends, and its launcher says why.
func ExampleMust() {
	err := mpi.RunLocal(4, func(world *mpi.Comm) error {
		sum := mpi.Must1(mpi.AllreduceValue(world, world.Rank()+1, mpi.Sum))
		if world.Rank() == 0 {
			mpi.Must(mpi.SendValue(world, sum, 1, 0))
		}
		if world.Rank() == 1 {
			value, status := mpi.Must2(mpi.RecvValue[int](world, 0, 0))
			fmt.Println(value, "from rank", status.Source)
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: 10 from rank 0
}

// In a test, where ranks are goroutines, Must ends a rank alone, with the error.
func ExampleMust_runLocal() {
	err := mpi.RunLocal(2, func(world *mpi.Comm) error {
		mpi.Must1(mpi.Isend(world, []int{1}, 2, 0))
		return nil
	})
	fmt.Println(err)
	// Unordered output:
	// rank 0: mpi.Isend: invalid rank: dest 2 is not in a communicator of 2 ranks
	// rank 1: mpi.Isend: invalid rank: dest 2 is not in a communicator of 2 ranks
}

// A token goes around the ring of all ranks: each passes on what it has got.
func ExampleSendrecvValue() {
	err := mpi.RunLocal(4, func(world *mpi.Comm) error {
		me, size := world.Rank(), world.Size()
		token := string2{'a' + byte(me), '!'}
		for range size - 1 {
			var err error
			if token, _, err = mpi.SendrecvValue(world, token, (me+1)%size, 0, (me-1+size)%size, 0); err != nil {
				return err
			}
		}
		if me == 0 { // the token of the rank after it
			fmt.Printf("%s\n", token[:])
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: b!
}

// An object may have strings, maps, slices and pointers.
func ExampleSendObject() {
	type order struct {
		Customer string
		Pieces   map[string]int
	}
	err := mpi.RunLocal(2, func(world *mpi.Comm) error {
		if world.Rank() == 0 {
			return mpi.SendObject(world, order{"Ada", map[string]int{"wheel": 7}}, 1, 0)
		}
		got, status, err := mpi.RecvObject[order](world, mpi.AnySource, mpi.AnyTag)
		if err != nil {
			return err
		}
		fmt.Printf("from rank %d: %s wants %v\n", status.Source, got.Customer, got.Pieces)
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: from rank 0: Ada wants map[wheel:7]
}

// What is received as an object is of the type that was sent, or the error says
// what is wrong.
func ExampleRecvObject_error() {
	err := mpi.RunLocal(2, func(world *mpi.Comm) error {
		if world.Rank() == 0 {
			return mpi.SendObject(world, []string{"a", "b"}, 1, 0, mpi.JSON)
		}
		_, _, err := mpi.RecvObject[[]string](world, 0, 0)
		fmt.Println(err)
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: mpi.RecvObject: element types differ or cannot be sent: the object from rank 0 with tag 0 was encoded by json and cannot be decoded by gob: both must use the same codec
}

// Rank 0 reads the configuration, and all ranks have it.
func ExampleBcastObject() {
	type config struct {
		Title  string
		Limits []float64
	}
	err := mpi.RunLocal(3, func(world *mpi.Comm) error {
		var c config
		if world.Rank() == 0 {
			c = config{"heat", []float64{0, 100}}
		}
		c, err := mpi.BcastObject(world, c, 0)
		if err != nil {
			return err
		}
		titles, err := mpi.GatherObjects(world, fmt.Sprintf("%s on rank %d", c.Title, world.Rank()), 0)
		if err != nil {
			return err
		}
		if world.Rank() == 0 {
			fmt.Println(strings.Join(titles, ", "))
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: heat on rank 0, heat on rank 1, heat on rank 2
}

// No rank needs to know how much the others have.
func ExampleAllgatherSlices() {
	err := mpi.RunLocal(3, func(world *mpi.Comm) error {
		mine := slices.Repeat([]int{world.Rank()}, world.Rank())
		all, err := mpi.AllgatherSlices(world, mine)
		if err != nil {
			return err
		}
		if world.Rank() == 0 {
			fmt.Println(all)
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: [[] [1] [2 2]]
}

// Each rank sorts what it has by the rank that it is for.
func ExampleAlltoallSlices() {
	err := mpi.RunLocal(3, func(world *mpi.Comm) error {
		send := make([][]int, world.Size())
		for n := 10 * world.Rank(); n < 10*world.Rank()+5; n++ {
			send[n%3] = append(send[n%3], n)
		}
		got, err := mpi.AlltoallSlices(world, send)
		if err != nil {
			return err
		}
		if world.Rank() == 0 { // the multiples of three
			fmt.Println(slices.Concat(got...))
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: [0 3 12 21 24]
}

// Rank 0 deals out parts of different lengths.
func ExampleScatterSlices() {
	err := mpi.RunLocal(3, func(world *mpi.Comm) error {
		var parts [][]string2
		if world.Rank() == 0 {
			parts = [][]string2{{}, {{'h', 'e'}}, {{'l', 'l'}, {'o', '!'}}}
		}
		mine, err := mpi.ScatterSlices(world, parts, 0)
		if err != nil {
			return err
		}
		back, err := mpi.GatherSlices(world, mine, 0)
		if err != nil {
			return err
		}
		if world.Rank() == 0 {
			for _, s := range slices.Concat(back...) {
				fmt.Printf("%s", s[:])
			}
			fmt.Println()
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: hello!
}

// Rank 0 serves requests as they come, until all others have said that they are
// done.
func ExampleComm_Messages() {
	err := mpi.RunLocal(3, func(world *mpi.Comm) error {
		const number, done = 1, 2 // tags
		if world.Rank() > 0 {
			if err := mpi.Send(world, []int{world.Rank(), 10}, 0, number); err != nil {
				return err
			}
			return mpi.Send[int](world, nil, 0, done)
		}
		sum, working := 0, world.Size()-1
		for m, err := range world.Messages(context.Background(), mpi.AnySource, mpi.AnyTag) {
			if err != nil {
				return err
			}
			numbers, err := mpi.MrecvSlice[int](m)
			if err != nil {
				return err
			}
			for _, n := range numbers {
				sum += n
			}
			if m.Status().Tag == done {
				working--
			}
			if working == 0 {
				break
			}
		}
		fmt.Println(sum)
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: 23
}
