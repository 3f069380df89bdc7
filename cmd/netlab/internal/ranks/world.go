package ranks

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// mpiProgram makes a program of a function that needs its parameters and the world.
func mpiProgram[P any](f func(world *mpi.Comm, p P) (Metrics, error)) program {
	return announcing(func(world *mpi.Comm, p P, _ io.Writer) (Metrics, error) { return f(world, p) })
}

// announcing is the same for a function whose rank 0 writes Begun to its output.
func announcing[P any](f func(world *mpi.Comm, p P, stdout io.Writer) (Metrics, error)) program {
	return func(params json.RawMessage, self self) (m Metrics, err error) {
		var p P
		if err := json.Unmarshal(params, &p); err != nil {
			return nil, fmt.Errorf("parameters: %w", err)
		}
		err = mpi.Run(func(world *mpi.Comm) error {
			m, err = f(world, p, self.stdout)
			return err
		})
		return m, err
	}
}
