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
	play := func(world *mpi.Comm, params json.RawMessage, stdout io.Writer) (Metrics, error) {
		var p P
		if err := json.Unmarshal(params, &p); err != nil {
			return nil, fmt.Errorf("parameters: %w", err)
		}
		return f(world, p, stdout)
	}
	return program{play: play, run: func(params json.RawMessage, self self) (m Metrics, err error) {
		err = mpi.Run(func(world *mpi.Comm) error {
			m, err = play(world, params, self.stdout)
			return err
		})
		return m, err
	}}
}

// Play runs a program as Run does, within a job that the caller has made: in virtual time. It returns the metrics at rank 0. Programs that
// need a job of their own cannot be played.
func Play(name string, params []byte, world *mpi.Comm, stdout io.Writer) (Metrics, error) {
	p := programs[name]
	if p.play == nil {
		return nil, fmt.Errorf("no rank program %q that runs within a job", name)
	}
	return p.play(world, params, stdout)
}

// CanPlay reports whether Play can.
func CanPlay(name string) bool { return programs[name].play != nil }
