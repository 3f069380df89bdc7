package links

import "github.com/sctpmpi/sctpmpi/mpi/rpi"

// TrySend implements rpi.ShortSender.
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
