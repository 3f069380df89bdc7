//go:build !linux

package socket

import (
	"context"
	"errors"
	"fmt"
	"net"
	"runtime"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

var errPlatform = fmt.Errorf("%w: the TCP transports need Linux, this is %s", rpi.ErrUnsupported, runtime.GOOS)

// Event, Poller and Vector have no use where NewPoller fails.
type (
	Event struct {
		Token                      uint64
		Readable, Writable, Hangup bool
	}
	Poller struct{}
	Vector struct{}
)

func NewPoller(*Meter) (*Poller, error)    { return nil, errPlatform }
func (*Poller) Add(int, uint64) error      { return errPlatform }
func (*Poller) Rearm(int, uint64) error    { return errPlatform }
func (*Poller) Poll() ([]Event, error)     { return nil, errPlatform }
func (*Poller) Wait(context.Context) error { return errPlatform }
func (*Poller) Block() error               { return errPlatform }
func (*Poller) Wake()                      {}
func (*Poller) Rouse()                     {}
func (*Poller) Close()                     {}

func Detach(*net.TCPConn) (int, error) { return -1, errPlatform }
func Dup(*net.TCPConn) (int, error)    { return -1, errPlatform }
func Close(int)                        {}
func Shutdown(int)                     {}
func Waiting(int) (int, error)         { return 0, errPlatform }
func Readable(int) bool                { return false }
func Short(error) bool                 { return false }
func Limit() int                       { return 0 }

func (*Vector) Reset()                 {}
func (*Vector) Full() bool             { return true }
func (*Vector) Len() int               { return 0 }
func (*Vector) Add([]byte)             {}
func (*Vector) Gather([]byte)          {}
func (*Vector) Write(int) (int, error) { return 0, errors.ErrUnsupported }
func (*Vector) Read(int) (int, error)  { return 0, errors.ErrUnsupported }
