package driver

import (
	"time"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Advance takes in what has arrived, unless another goroutine is doing that, and runs what may run only
// in calls of the program: for operations that look without waiting.
//
// A program may call it in a loop and do nothing else. Then the loop must not depend on a
// goroutine that waits in the network. Where Go has as many such loops as processors, one
// on a single processor, its scheduler does not ask its network poller: a waiting goroutine
// learns that something has arrived only when the scheduler's monitor looks, each 10 ms at
// best. So Advance looks itself while that goroutine waits, and every few calls lets
// goroutines run that have become able to.
func (d *Driver) Advance() {
	d.then.Enter()
	some := d.takeIn()
	d.then.Leave(true)
	if !some {
		d.spins.NothingCame()
	}
}

// takeIn takes in what has arrived and reports whether that was anything.
func (d *Driver) takeIn() (some bool) {
	if d.mode == rpi.Event {
		return d.pollForWaiter(d.waiting.Load())
	}
	if !d.token.try() {
		return d.pollForWaiter(d.parked.Load())
	}
	d.turns.Add(1)
	d.release()
	some, _ = d.pollInTurn() // fails when closed, which completes all requests
	d.giveToken()
	return some
}

// wholePause is how long a program that calls Advance in a loop looks only where something is likely to come from, between two looks
// at the whole network. Those take a system call, of 1 to 2 µs. Measured, HPC Challenge's RandomAccess, which calls MPI_Testany
// for each update, two ranks that share memory: nine tenths of the time were looks at a socket from which nothing ever came.
const wholePause = 20 * time.Microsecond

// pollInTurn looks at the whole network, or soon after that only where something is likely to come from. The caller has the token.
func (d *Driver) pollInTurn() (some bool, err error) {
	now := time.Since(d.epoch)
	if now-d.wholeAt < wholePause {
		return d.pollFast(false)
	}
	d.wholeAt = now
	return d.network.Poll()
}

// pollForWaiter takes in what has arrived for the goroutine whose task that is, if that one waits in
// the network. If it turns out that what it waits for has come it is woken as by any
// other goroutine, see rpi.Waiter.Interrupt, and Go's network poller is not needed for that.
func (d *Driver) pollForWaiter(waits bool) (some bool) {
	if !waits || !d.pollsForWaiter.CompareAndSwap(false, true) {
		return false
	}
	d.release()
	some, _ = d.network.Poll() // fails when closed, which completes all requests
	d.then.Run(true)           // before Rouse: it may wake that goroutine
	d.poller.Rouse()
	d.pollsForWaiter.Store(false)
	return some
}
