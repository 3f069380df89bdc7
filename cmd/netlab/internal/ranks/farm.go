package ranks

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
	"github.com/sctpmpi/sctpmpi/mpi"
)

// Farm has rank 0 hand out tasks, on request, to all others, as the farm of Kamal, Penoff and Wagner does: a worker has
// several requests under way, each request is answered by several tasks, and tasks differ in their tags. Receives name the
// tag, as one for any tag has to take messages in their order.
type Farm struct {
	Tasks, Size int // of a task, in bytes
	Fanout      int // tasks for a request
	Slots       int // requests that a worker has under way; the tasks of each have a tag of their own
	Result      int // bytes
}

// Load implements plan.Loaded.
func (p Farm) Load(ranks int) plan.Load {
	return plan.Load{Bytes: p.Tasks * p.Size, Turns: 2 * p.Tasks / max(1, p.Fanout*p.Slots*(ranks-1))}
}

// RTOMinVariable gives the kernel's SCTP the floor of retransmission timeouts in place of the library's: a duration. It is for
// associations that are there when the work begins.
const RTOMinVariable = "SCTPMPI_NETLAB_RTO_MIN"

const (
	tagRequest  = 1
	tagResult   = 2
	tagTaskBase = 3
)

// farm measures the time from the first request to the last result, and the processor time of the manager.
func farm(world *mpi.Comm, p Farm) (Metrics, error) {
	// Memory is made before time is measured.
	var run func() error
	if world.Rank() == 0 {
		windows := p.windows(world)
		run = func() error { return p.manage(world, windows) }
	} else {
		places := p.places()
		run = func() error { return p.work(world, places) }
	}
	if err := world.Barrier(); err != nil {
		return nil, err
	}
	if err := setRTOMin(os.Getenv(RTOMinVariable)); err != nil {
		return nil, err
	}
	before, _ := usage()
	begun := time.Now()
	if err := run(); err != nil || world.Rank() != 0 {
		return nil, err
	}
	seconds := time.Since(begun).Seconds()
	m := Metrics{"time": seconds, "throughput": float64(p.Tasks) * float64(p.Size) * 8 / seconds / 1e6}
	if after, err := usage(); err == nil { // else the system does not tell
		m["cpu"] = (after.cpu - before.cpu) / 1e6
	}
	return m, nil
}

// windows returns the manager's windows, by worker and slot.
func (p Farm) windows(world *mpi.Comm) [][]*window {
	all := make([][]*window, world.Size()-1)
	for i := range all {
		for slot := range p.Slots {
			all[i] = append(all[i], newWindow(world, i+1, tagTaskBase+slot, p.Size, p.Fanout))
		}
	}
	return all
}

// places returns where a worker takes tasks, by slot.
func (p Farm) places() [][][]byte {
	all := make([][][]byte, p.Slots)
	for slot := range all {
		for range p.Fanout {
			all[slot] = append(all[slot], make([]byte, p.Size))
		}
	}
	return all
}

// manage serves each worker in goroutines of its own, so that none waits for another.
func (p Farm) manage(world *mpi.Comm, windows [][]*window) error {
	var (
		d    = newDealer(p, world.Size()-1)
		mu   sync.Mutex
		done = make([]bool, p.Tasks)
		work []func() error
	)
	for worker := 1; worker < world.Size(); worker++ {
		work = append(work, func() error { return p.hear(world, worker, d) }, func() error {
			return p.serve(windows[worker-1], d.hands[worker-1])
		}, func() error {
			return p.collect(world, worker, func(task uint64) error {
				mu.Lock()
				defer mu.Unlock()
				if task >= uint64(p.Tasks) || done[task] {
					return fmt.Errorf("result of task %d from rank %d, which it was not to do", task, worker)
				}
				done[task] = true
				return nil
			})
		})
	}
	if err := together(work...); err != nil {
		return err
	}
	for task, ok := range done {
		if !ok {
			return fmt.Errorf("no result of task %d", task)
		}
	}
	return nil
}

// hear takes the requests of a worker, up to an empty one.
func (p Farm) hear(world *mpi.Comm, worker int, d *dealer) error {
	slot := make([]uint32, 1)
	for {
		status, err := mpi.Recv(world, slot, worker, tagRequest)
		if err != nil || status.Count == 0 {
			return err
		}
		if slot[0] >= uint32(p.Slots) {
			return fmt.Errorf("a request for slot %d of rank %d, which has %d", slot[0], worker, p.Slots)
		}
		d.ask(worker-1, int(slot[0]))
	}
}

// serve sends a worker what it is dealt, until none of its slots has anything to come.
func (p Farm) serve(windows []*window, hand <-chan task) error {
	for open := p.Slots; open > 0; {
		t := <-hand
		w := windows[t.slot]
		if !t.none {
			if err := w.send(t.number, nil); err != nil {
				return err
			}
			continue
		}
		open--
		if err := w.end(); err != nil {
			return err
		}
	}
	return nil
}

// collect takes the results of a worker.
func (p Farm) collect(world *mpi.Comm, worker int, take func(task uint64) error) error {
	result := make([]byte, p.Result)
	for {
		status, err := mpi.Recv(world, result, worker, tagResult)
		if err != nil || status.Count == 0 {
			return err
		}
		task := binary.LittleEndian.Uint64(result)
		if err := check(result, tagResult, task); err != nil {
			return err
		}
		if err := take(task); err != nil {
			return err
		}
	}
}

// work does tasks in all slots at once.
func (p Farm) work(world *mpi.Comm, places [][][]byte) error {
	slots := make([]func() error, p.Slots)
	for slot := range slots {
		slots[slot] = func() error { return p.slot(world, slot, places[slot]) }
	}
	if err := together(slots...); err != nil {
		return err
	}
	if err := mpi.Send(world, []uint32{}, 0, tagRequest); err != nil {
		return err
	}
	return mpi.Send(world, []byte{}, 0, tagResult)
}

// slot asks for tasks, with their places ready, and does them, until there are none.
func (p Farm) slot(world *mpi.Comm, slot int, tasks [][]byte) error {
	tag := tagTaskBase + slot
	receives := make([]*mpi.Request, p.Fanout)
	result := make([]byte, p.Result)
	for {
		for i := range receives {
			var err error
			if receives[i], err = mpi.Irecv(world, tasks[i], 0, tag); err != nil {
				return err
			}
		}
		if err := mpi.Send(world, []uint32{uint32(slot)}, 0, tagRequest); err != nil {
			return err
		}
		for i, r := range receives {
			status, err := r.Wait(context.Background())
			if err != nil {
				return err
			}
			if status.Count == 0 {
				return cancelAll(receives[i+1:])
			}
			task := binary.LittleEndian.Uint64(tasks[i])
			if err := check(tasks[i], tag, task); err != nil {
				return err
			}
			fill(result, tagResult, task)
			if err := mpi.Send(world, result, 0, tagResult); err != nil {
				return err
			}
		}
	}
}
