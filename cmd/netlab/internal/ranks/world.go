package ranks

import (
	"encoding/json"
	"fmt"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// mpiProgram makes a program of a function that needs its parameters and the world.
func mpiProgram[P any](f func(world *mpi.Comm, p P) (Metrics, error)) program {
	return func(params json.RawMessage, _ self) (m Metrics, err error) {
		var p P
		if err := json.Unmarshal(params, &p); err != nil {
			return nil, fmt.Errorf("parameters: %w", err)
		}
		err = mpi.Run(func(world *mpi.Comm) error {
			m, err = f(world, p)
			return err
		})
		return m, err
	}
}
