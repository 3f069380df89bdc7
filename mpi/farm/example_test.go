package farm_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/sctpmpi/sctpmpi/mpi"
	"github.com/sctpmpi/sctpmpi/mpi/farm"
)

// The same is done to each value of a slice, by whichever rank has time. A program that mpirun starts has mpi.Run in place
// of mpi.RunLocal.
func ExampleMap() {
	collatz := func(_ context.Context, n int64) (steps int32, err error) {
		for ; n != 1; steps++ {
			if n%2 == 0 {
				n /= 2
			} else {
				n = 3*n + 1
			}
		}
		return steps, nil
	}
	err := mpi.RunLocal(4, func(world *mpi.Comm) error {
		var numbers []int64 // of rank 0
		if world.Rank() == 0 {
			numbers = []int64{27, 97, 871, 6171}
		}
		steps, err := farm.Map(context.Background(), world, numbers, collatz, farm.Options{})
		if world.Rank() == 0 {
			fmt.Println(steps, err)
		}
		return err
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: [111 118 178 261] <nil>
}

// A job whose tasks are made when they are dealt, and whose results are put together as they come: an integral, in pieces.
func ExampleRun() {
	type piece struct{ From, To float64 }
	const pieces, steps = 100, 1000
	err := mpi.RunLocal(3, func(world *mpi.Comm) error {
		areas := make([]float64, pieces) // in order, so that the sum does not depend on who was quick
		report, err := farm.Run(context.Background(), world, farm.Job[piece, float64]{
			Tasks: pieces,
			Task: func(buf []piece, i int) []piece {
				return append(buf, piece{float64(i) / pieces, float64(i+1) / pieces})
			},
			Do: func(_ context.Context, task []piece, buf []float64) ([]float64, error) {
				p, sum := task[0], 0.0
				width := (p.To - p.From) / steps
				for k := range steps {
					x := p.From + (float64(k)+0.5)*width
					sum += 4 / (1 + x*x) * width
				}
				return append(buf, sum), nil
			},
			Collect: func(i int, result []float64) error {
				areas[i] = result[0]
				return nil
			},
		}, farm.Options{Slots: 2, Fanout: 5})
		if world.Rank() == 0 && err == nil {
			sum := 0.0
			for _, area := range areas {
				sum += area
			}
			fmt.Printf("π = %.6f, off by less than 1e-9: %v, tasks dealt again: %d\n", sum, math.Abs(sum-math.Pi) < 1e-9, report.Again)
		}
		return err
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output: π = 3.141593, off by less than 1e-9: true, tasks dealt again: 0
}

// lengths is what a manager has made of its results: how many words have each length. It knows how to be kept in a file.
type lengths []byte

func (l *lengths) MarshalBinary() ([]byte, error) { return *l, nil }
func (l *lengths) UnmarshalBinary(b []byte) error { *l = slices.Clone(b); return nil }

// A job that goes on from what was collected before it was interrupted. The tasks are texts, which have no fixed size, and so bytes.
func ExampleCheckpoint() {
	words := []string{"so", "much", "depends", "upon", "a", "red", "wheel", "barrow"}
	dir, err := os.MkdirTemp("", "farm")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	count := func(broken string) {
		err := mpi.RunLocal(1, func(world *mpi.Comm) error {
			state := make(lengths, 10)
			report, err := farm.Run(context.Background(), world, farm.Job[byte, uint8]{
				Tasks: len(words),
				Task:  func(buf []byte, i int) []byte { return append(buf, words[i]...) },
				Do: func(_ context.Context, task []byte, buf []uint8) ([]uint8, error) {
					if string(task) == broken {
						return nil, fmt.Errorf("the power has failed at %q", task)
					}
					return append(buf, uint8(len(task))), nil
				},
				Collect: func(_ int, result []uint8) error {
					state[result[0]]++
					return nil
				},
			}, farm.Options{
				MaxTask:    20,
				Checkpoint: &farm.Checkpoint{File: filepath.Join(dir, "lengths"), Job: "lengths of words", State: &state},
			})
			fmt.Println(report.Restored, "were done,", report.Tasks, "more are:", state)
			return err
		})
		if err != nil {
			fmt.Println(err)
		}
	}
	count("red")
	count("")
	// Output:
	// 0 were done, 5 more are: [0 1 1 0 2 0 0 1 0 0]
	// rank 0: farm: task 5: the power has failed at "red"
	// 5 were done, 3 more are: [0 1 1 1 2 1 1 1 0 0]
}
