package proxy

import (
	"io"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/internal/process"
)

// Serve is not there on this system: only mpirun's own ranks run on it.
func Serve(io.Reader, io.WriteCloser, time.Duration) int { return process.StatusFailed }
