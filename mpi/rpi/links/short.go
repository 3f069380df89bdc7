package links

import (
	"context"
	"time"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// TrySend implements rpi.ShortWay.
func (e *Engine) TrySend(m rpi.Short) bool {
	counted, lone := e.driver.Lone(m)
	if !lone {
		return false
	}
	e.Lock.Lock()
	sent, waits := e.Layer.TrySend(m, e.near)
	if waits {
		e.handOver(e.network.Next(m.Peer))
	}
	e.Lock.Unlock()
	if sent && counted {
		e.driver.Left(m)
	}
	return sent
}

// TryRecv implements rpi.ShortWay.
func (e *Engine) TryRecv(ctx context.Context, m rpi.Short) (s rpi.Status, looked time.Duration, received bool) {
	if !e.driver.TryDrive() {
		return s, 0, false
	}
	e.Lock.Lock()
	wants := e.Layer.Want(m)
	e.Lock.Unlock()
	if !wants {
		e.driver.StopDriving()
		return s, 0, false
	}
	w, looking := e.Layer.Wanted(), true
	defer func() {
		if looking { // a function of the program has panicked
			e.unwant()
		}
	}()
	looked = e.driver.Look(ctx, w)
	looking = false
	if !w.Completed() && e.unwant() {
		looked = 0 // what has come instead is another wait
	}
	if received = w.Completed(); received {
		s = w.Take()
	}
	e.driver.StopDriving()
	return s, looked, received
}

func (e *Engine) unwant() (disturbed bool) {
	e.Lock.Lock()
	defer e.Lock.Unlock()
	return e.Layer.Unwant()
}
