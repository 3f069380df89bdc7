package kernel

import (
	"encoding/binary"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Options that the module sctp does not have (linux/sctp.h; RFC 6458, section 8).
const (
	optInterleave      = 18
	optPartialDelivery = 19
	optRecvRcvInfo     = 32
	optAssocStats      = 112
	optScheduler       = 123
	optSchedulerValue  = 124
	optInterleaving    = 125
	optEncapsulation   = 132
)

// Schedulers of optScheduler.
const (
	schedulerFirstCome  = 0
	schedulerPriority   = 1
	schedulerRoundRobin = 2
	schedulerWeighted   = 4 // since Linux 6.4
)

// The structs of options that the module does not have. They are encoded without padding,
// as the kernel has those that hold an address; that of the others is spelt out.
type (
	rtoInfo struct {
		Assoc             int32
		Initial, Max, Min uint32 // ms
	}
	assocParams struct {
		Assoc                           int32
		MaxRetransmissions, Paths       uint16
		PeerWindow, OwnWindow, CookieMS uint32
	}
	pathParams struct {
		Assoc              int32
		Addr               storage
		HeartbeatMS        uint32
		MaxRetransmissions uint16
		MTU, SACKDelay     uint32
		Flags, FlowLabel   uint32
		DSCP               uint8
		_                  uint8
	}
	assocValue  struct{ Assoc, Value int32 }
	streamValue struct {
		Assoc         int32
		Stream, Value uint16
	}
	encapsulation struct {
		Assoc int32
		_     wordPadding
		Addr  storage
		Port  [2]byte // network order
		_     [2]byte
		_     wordPadding
	}
	// wordPadding follows an int32 before what is aligned as a pointer is.
	wordPadding [unsafe.Sizeof(uintptr(0)) - 4]byte
)

// Flags of pathParams.
const (
	heartbeatOn     = 1 << 0
	heartbeatOff    = 1 << 1
	heartbeatDemand = 1 << 2
)

// States of sctp.Status and sctp.PeerAddrinfo. The module has other numbers than Linux.
const (
	stateEstablished = 4

	pathInactive    = 0
	pathUnconfirmed = 3
)

// set and get are our own. The module's functions hide the memory that they pass to system calls
// from Go's runtime, which may move it meanwhile; and on linux/386 they do nothing.

// set sets an option to a struct, an int32, or bytes.
func set(fd, option int, value any) error {
	b, err := binary.Append(nil, binary.NativeEndian, value)
	if err != nil {
		return err
	}
	return os.NewSyscallError("setsockopt", unix.SetsockoptString(fd, unix.IPPROTO_SCTP, option, string(b)))
}

// get gets an option. b has the question, and is overwritten by the answer, whose length get
// returns.
func get(fd, option int, b []byte) (int, error) {
	n := uint32(len(b))
	_, _, errno := unix.Syscall6(unix.SYS_GETSOCKOPT, uintptr(fd), unix.IPPROTO_SCTP, uintptr(option),
		uintptr(unsafe.Pointer(&b[0])), uintptr(unsafe.Pointer(&n)), 0)
	if errno != 0 {
		return 0, errno
	}
	return int(n), nil
}

// ask gets an option that is a struct. v has the question, and is overwritten by the answer.
func ask[T any](e *endpoint, option int, v *T) error {
	b, err := binary.Append(nil, binary.NativeEndian, v)
	if err != nil {
		return err
	}
	return e.using(func(fd int) error {
		if _, err := get(fd, option, b); err != nil {
			return err
		}
		_, err := binary.Decode(b, binary.NativeEndian, v)
		return err
	})
}

// schedulers are the kernel's names for ours.
var schedulers = map[socket.Scheduler]int32{
	socket.FirstCome: schedulerFirstCome, socket.RoundRobin: schedulerRoundRobin,
	socket.Priority: schedulerPriority, socket.Weighted: schedulerWeighted,
}
