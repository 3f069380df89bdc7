package ranks

import (
	"fmt"
	"os"
	"strconv"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Of linux/sctp.h.
const (
	solSCTP       = 132
	sctpRTO       = 0  // SCTP_RTOINFO
	sctpAssocList = 29 // SCTP_GET_ASSOC_ID_LIST
	rfcRTOInit    = 1000
	rfcRTOMax     = 60_000
)

// rtoInfo is struct sctp_rtoinfo, with times in milliseconds.
type rtoInfo struct {
	assoc              int32
	initial, most, min uint32
}

// assocList is struct sctp_assoc_ids, with room for more associations than an experiment makes.
type assocList struct {
	n   uint32
	ids [1024]int32
}

// setRTOMin gives the associations of the kernel's SCTP that this process has the floor of retransmission timeouts that an
// experiment asks for, with the initial value and the ceiling of RFC 9260, as the library offers no such setting. Call it when they
// are up: then the library has set them up itself. Without SCTP sockets it does nothing.
func setRTOMin(value string) error {
	if value == "" {
		return nil
	}
	floor, err := time.ParseDuration(value)
	if err != nil {
		return fmt.Errorf("%s: %w", RTOMinVariable, err)
	}
	files, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return err
	}
	for _, f := range files {
		fd, err := strconv.Atoi(f.Name())
		if err != nil {
			continue
		}
		if p, err := unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_PROTOCOL); err != nil || p != unix.IPPROTO_SCTP {
			continue
		}
		if err := setFloor(fd, floor); err != nil {
			return fmt.Errorf("retransmission timeout of %v: %w", floor, err)
		}
	}
	return nil
}

// setFloor sets up all associations of a socket.
func setFloor(fd int, floor time.Duration) error {
	var list assocList
	size := uint32(unsafe.Sizeof(list))
	if _, _, err := unix.Syscall6(unix.SYS_GETSOCKOPT, uintptr(fd), solSCTP, sctpAssocList,
		uintptr(unsafe.Pointer(&list)), uintptr(unsafe.Pointer(&size)), 0); err != 0 {
		return os.NewSyscallError("SCTP_GET_ASSOC_ID_LIST", err)
	}
	for _, id := range list.ids[:list.n] {
		info := rtoInfo{assoc: id, initial: rfcRTOInit, most: rfcRTOMax, min: uint32(floor.Milliseconds())}
		data := unsafe.Slice((*byte)(unsafe.Pointer(&info)), unsafe.Sizeof(info))
		if err := unix.SetsockoptString(fd, solSCTP, sctpRTO, string(data)); err != nil {
			return os.NewSyscallError("SCTP_RTOINFO", err)
		}
	}
	return nil
}
