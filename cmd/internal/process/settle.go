package process

import "time"

const (
	// SettleTime is how long after its exit a rank's last output and PMI requests are waited for, before it is reported. Only a
	// process that escaped from its group with the rank's descriptors can make it last so long.
	SettleTime = 250 * time.Millisecond
	// OrphanTime is how long processes that ranks have left behind are waited for once they are killed.
	OrphanTime = 500 * time.Millisecond
)

// Settle waits until all channels are closed, SettleTime at most.
func Settle(done ...<-chan struct{}) {
	timer := time.NewTimer(SettleTime)
	defer timer.Stop()
	for _, c := range done {
		select {
		case <-c:
		case <-timer.C:
			return
		}
	}
}
