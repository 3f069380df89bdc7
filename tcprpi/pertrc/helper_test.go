package pertrc

import (
	"testing"
	"time"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/rpitest"
)

var token = []byte("secret")

// openJob opens the transports of a job of n ranks, all in this process.
func openJob(t testing.TB, n int, vary func(*rpi.Config)) []*Transport {
	open := func(cfg rpi.Config) (*Transport, error) {
		tr, err := Open(cfg)
		if err != nil {
			return nil, err
		}
		return tr.(*Transport), nil
	}
	return rpitest.OpenJob(t, n, open, func(_ int, cfg *rpi.Config) {
		cfg.Token = token
		cfg.ConnectTimeout = 10 * time.Minute // the machine may be busy
		if vary != nil {
			vary(cfg)
		}
	})
}

var (
	request = rpitest.Request
	start   = rpitest.Start
	do      = rpitest.Do
)

// text is a message that tells its number.
func text(i int) []byte { return []byte{byte(i >> 16), byte(i >> 8), byte(i)} }
