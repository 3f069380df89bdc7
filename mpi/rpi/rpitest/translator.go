package rpitest

import (
	"net/netip"
	"testing"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/seal"
)

// RunTranslated tests that a rank which publishes the address of a translator of addresses (NAT) is reached there, whichever rank
// begins. translate starts one for a process that is going to listen at inside.
func RunTranslated(t *testing.T, open rpi.Open, translate func(t *testing.T) (inside, published netip.AddrPort)) {
	for _, encrypt := range []seal.Policy{seal.Off, seal.AlwaysEncrypt} {
		for first := range 2 {
			inside, published := translate(t)
			ranks := OpenJob(t, 2, open, func(rank int, cfg *rpi.Config) {
				cfg.Encrypt = encrypt
				if rank == 1 {
					cfg.PortLow, cfg.PortHigh, cfg.Publish = inside.Port(), inside.Port(), published
				}
			})
			for _, from := range []int{first, 1 - first} {
				for i := range 20 {
					body := message(i, 8+i*20_000)
					sent := Start(ranks[from], send(1-from, i, body))
					received := Do(t, ranks[1-from], recv(from, i, make([]byte, len(body))))
					requireMessage(t, received, i, len(body))
					Finish(t, sent)
				}
			}
		}
	}
}
