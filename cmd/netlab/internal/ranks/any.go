package ranks

import (
	"context"
	"fmt"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// receiveAny takes the messages of several windows, one for each tag, until the empty one of each has come, by receives for any tag. MPI
// has these match messages in the order in which they were sent, whatever their tags.
func receiveAny(world *mpi.Comm, source, size, posted int, arrivals map[int]func(data []byte)) error {
	buffers, receives := make([][]byte, posted), make([]*mpi.Request, posted)
	post := func(i int) (err error) {
		receives[i], err = mpi.Irecv(world, buffers[i], source, mpi.AnyTag)
		return err
	}
	for i := range buffers {
		buffers[i] = make([]byte, size)
		if err := post(i); err != nil {
			return err
		}
	}
	received := map[int]uint64{}
	open := len(arrivals)
	for i := 0; ; i = (i + 1) % posted {
		status, err := receives[i].Wait(context.Background())
		if err != nil {
			return err
		}
		arrived, known := arrivals[status.Tag]
		switch data := buffers[i][:status.Count]; {
		case !known:
			return fmt.Errorf("a message with tag %d, which none is to have", status.Tag)
		case len(data) == 0:
			if open--; open == 0 {
				return cancelAll(receives)
			}
		default:
			arrived(data)
			if err := check(data, status.Tag, received[status.Tag]); err != nil {
				return err
			}
			received[status.Tag]++
		}
		if err := post(i); err != nil {
			return err
		}
	}
}
