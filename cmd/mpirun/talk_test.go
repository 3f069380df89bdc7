//go:build unix

package main

import (
	"fmt"
	"io"
	"os"
	"sync/atomic"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// talk has rank 0 and rank 1 exchange numbered messages, some of them long. Rank 0 says when they talk. Then it waits until its
// standard input ends, and for so many messages more.
func talk() int {
	const more = 100
	err := mpi.Run(func(world *mpi.Comm) error {
		var ended atomic.Bool
		if world.Rank() == 0 {
			go func() {
				_, _ = io.Copy(io.Discard, os.Stdin)
				ended.Store(true)
			}()
		}
		peer, last := 1-world.Rank(), -1
		for i := 0; i != last; i++ {
			out, in := make([]int, 2+i%3*10_000), make([]int, 2+i%3*10_000)
			if out[0] = i; last < 0 && ended.Load() {
				last = i + more
			}
			out[1] = last
			if _, err := mpi.Sendrecv(world, out, peer, i%4, in, peer, i%4); err != nil {
				return fmt.Errorf("message %d: %w", i, err)
			}
			if in[0] != i {
				return fmt.Errorf("message %d came as number %d", in[0], i)
			}
			if last = max(last, in[1]); i == more && world.Rank() == 0 {
				fmt.Println("ready")
			}
		}
		return nil
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}
