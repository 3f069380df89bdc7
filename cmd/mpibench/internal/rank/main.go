package rank

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// Main is the main function of a rank. The order is JSON. It returns the exit status.
func Main(order string, in io.Reader, out, stderr io.Writer) int {
	if err := serve(order, in, out); err != nil {
		fmt.Fprintf(stderr, "mpibench: %v\n", err)
		return 1
	}
	return 0
}

func serve(text string, in io.Reader, out io.Writer) error {
	var o Order
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		return fmt.Errorf("the order of a rank: %w", err)
	}
	if o.Local {
		return o.local(in, out)
	}
	return mpi.Run(func(world *mpi.Comm) error { return o.Do(world, in, out) })
}

// local runs all ranks in this process. It returns when rank 0 is done: to wait until all ranks
// have finalized would take longer than everything else.
func (o *Order) local(in io.Reader, out io.Writer) error {
	ended := make(chan error, 2)
	go func() {
		ended <- mpi.RunLocal(2+o.Idle, func(world *mpi.Comm) error {
			err := o.Do(world, in, out)
			if world.Rank() == 0 && err == nil {
				ended <- nil
			}
			return err
		})
	}()
	return <-ended
}

// Do runs this rank's part of the order.
func (o *Order) Do(world *mpi.Comm, in io.Reader, out io.Writer) error {
	working := world.Size() - o.Idle
	if o.Idle > 0 {
		leave, err := connectIdle(world)
		if err != nil || world.Rank() >= working {
			return err
		}
		defer leave()
	}
	if o.Wait {
		if err := await(world, in, out); err != nil {
			return err
		}
	}
	e := json.NewEncoder(out)
	for _, w := range o.Works {
		figures, err := o.run(world, working, w)
		if err != nil {
			return err
		}
		if world.Rank() == 0 {
			if err := e.Encode(figures); err != nil {
				return fmt.Errorf("writing a result: %w", err)
			}
		}
	}
	return nil
}

// await reports that the job is ready, and waits for the signal to begin.
func await(world *mpi.Comm, in io.Reader, out io.Writer) error {
	if err := world.Barrier(); err != nil {
		return err
	}
	if world.Rank() == 0 {
		if _, err := fmt.Fprintln(out); err != nil {
			return err
		}
		if _, err := io.ReadFull(in, make([]byte, 1)); err != nil {
			return fmt.Errorf("waiting for the signal to begin: %w", err)
		}
	}
	return world.Barrier()
}
