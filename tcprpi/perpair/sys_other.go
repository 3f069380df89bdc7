//go:build !linux

package perpair

import (
	"errors"
	"fmt"
	"net"
	"runtime"
	"time"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

var errPlatform = fmt.Errorf("%w: %s needs Linux, this is %s", rpi.ErrUnsupported, Name, runtime.GOOS)

type event struct {
	peer               matching.Rank
	readable, writable bool
	hangup             bool
}

type poller struct{}

func newPoller() (*poller, error)                     { return nil, errPlatform }
func (*poller) add(int, matching.Rank) error          { return errPlatform }
func (*poller) wait(bool) ([]event, error)            { return nil, errPlatform }
func (*poller) close()                                {}
func detach(*net.TCPConn, time.Duration) (int, error) { return -1, errPlatform }
func closeFD(int)                                     {}
func shutdownFD(int)                                  {}

type vector struct{}

func (*vector) reset()                 {}
func (*vector) full() bool             { return true }
func (*vector) add([]byte)             {}
func (*vector) write(int) (int, error) { return 0, errors.ErrUnsupported }
func (*vector) read(int) (int, error)  { return 0, errors.ErrUnsupported }
