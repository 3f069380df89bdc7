package ranks

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Of linux/sctp.h.
const (
	solSCTP    = 132
	sctpRTO    = 0 // SCTP_RTOINFO
	rfcRTOInit = 1000
	rfcRTOMax  = 60_000
)

// rtoInfo is struct sctp_rtoinfo, with times in milliseconds. Association 0 stands for those to come.
type rtoInfo struct {
	assoc              int32
	initial, most, min uint32
}

// setRTOMin gives the kernel's SCTP sockets of this process the floor of retransmission timeouts that an experiment asks
// for, with the initial value and the ceiling of RFC 9260, as the library offers no such setting. It is for associations
// that are still to be made. Without SCTP sockets it does nothing.
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
		info := rtoInfo{initial: rfcRTOInit, most: rfcRTOMax, min: uint32(floor.Milliseconds())}
		data := unsafe.Slice((*byte)(unsafe.Pointer(&info)), unsafe.Sizeof(info))
		if err := unix.SetsockoptString(fd, solSCTP, sctpRTO, string(data)); err != nil {
			return errors.Join(fmt.Errorf("retransmission timeout of %v", floor), os.NewSyscallError("SCTP_RTOINFO", err))
		}
	}
	return nil
}
