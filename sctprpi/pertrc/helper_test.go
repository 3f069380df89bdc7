package pertrc

import (
	"testing"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/rpitest"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/associations"
)

var token = []byte("secret")

// openJob opens the transports of a job of n ranks, all in this process.
func openJob(t testing.TB, n int, o associations.Options, vary func(*rpi.Config)) []*Transport {
	open := func(cfg rpi.Config) (*Transport, error) { return New(cfg, o) }
	return rpitest.OpenJob(t, n, open, func(_ int, cfg *rpi.Config) {
		cfg.Token = token
		if vary != nil {
			vary(cfg)
		}
	})
}

var (
	request = rpitest.Request
	start   = rpitest.Start
	finish  = rpitest.Finish
	do      = rpitest.Do
)

// text is a message that tells its number.
func text(i int) []byte { return []byte{byte(i >> 24), byte(i >> 16), byte(i >> 8), byte(i)} }

// count is how much of something a test has: less unless there is time.
func count(short, long int) int {
	if rpitest.Long() {
		return long
	}
	return short
}
