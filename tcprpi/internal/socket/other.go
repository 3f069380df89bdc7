//go:build !linux

package socket

import (
	"errors"
	"fmt"
	"net"
	"runtime"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

var errPlatform = fmt.Errorf("%w: the TCP transports need Linux, this is %s", rpi.ErrUnsupported, runtime.GOOS)

// Event, Poller and Vector have no use where NewWatcher fails.
type (
	Event struct {
		Token                      uint64
		Readable, Writable, Hangup bool
	}
	Watcher struct{}
	Vector  struct{}
)

func NewWatcher(*Meter) (*Watcher, error) { return nil, errPlatform }
func (*Watcher) Add(int, uint64) error    { return errPlatform }
func (*Watcher) Rearm(int, uint64) error  { return errPlatform }
func (*Watcher) Poll() ([]Event, error)   { return nil, errPlatform }
func (*Watcher) Descriptor() int          { return -1 }
func (*Watcher) Close()                   {}

func Detach(*net.TCPConn) (int, error) { return -1, errPlatform }
func Dup(*net.TCPConn) (int, error)    { return -1, errPlatform }
func Close(int)                        {}
func Shutdown(int)                     {}
func Waiting(int) (int, error)         { return 0, errPlatform }
func Readable(int) bool                { return false }
func Writable(int) bool                { return false }
func Send(int, []byte) (int, error)    { return 0, errPlatform }
func Receive(int, []byte) (int, error) { return 0, errPlatform }
func Short(error) bool                 { return false }
func Limit() int                       { return 0 }

func (*Vector) Reset()                 {}
func (*Vector) Full() bool             { return true }
func (*Vector) Len() int               { return 0 }
func (*Vector) Add([]byte)             {}
func (*Vector) Drop(uint64) int        { return 0 }
func (*Vector) Gather([]byte)          {}
func (*Vector) Copy([]byte, int) int   { return 0 }
func (*Vector) Scatter([]byte) int     { return 0 }
func (*Vector) Write(int) (int, error) { return 0, errors.ErrUnsupported }
func (*Vector) Read(int) (int, error)  { return 0, errors.ErrUnsupported }
