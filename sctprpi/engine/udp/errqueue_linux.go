package udp

import (
	"net/netip"
	"unsafe"

	"golang.org/x/sys/unix"
)

// errorsDrained is how many errors are read at a time. If there are more, the next
// system call says so.
const errorsDrained = 64

// drainErrors reads what routers have reported back (ICMP), which the kernel queues
// up, and appends to reports what they say about packets too big.
func (n *native) drainErrors(reports []report) []report {
	var from name
	var message control // what the kernel quotes of the packet is not of interest
	for range errorsDrained {
		var none unix.Iovec
		h := unix.Msghdr{Name: &from[0], Namelen: uint32(len(from)), Iov: &none, Control: &message.bytes()[0]}
		h.SetControllen(len(message.bytes()))
		_, _, errno := unix.RawSyscall6(unix.SYS_RECVMSG, uintptr(n.fd), uintptr(unsafe.Pointer(&h)),
			unix.MSG_ERRQUEUE|unix.MSG_DONTWAIT, 0, 0, 0)
		if errno == unix.EINTR {
			continue
		}
		if errno != 0 {
			break
		}
		if mtu := learnt(message.bytes()[:h.Controllen]); mtu > 0 {
			if to := from.get(); to.IsValid() {
				reports = append(reports, report{netip.AddrPortFrom(to.Addr().Unmap(), to.Port()), mtu})
			}
		}
	}
	return reports
}

// learnt returns the MTU that an error tells of, 0 if it tells of none.
func learnt(controls []byte) (mtu int) {
	for len(controls) > 0 {
		h, data, rest, err := unix.ParseOneSocketControlMessage(controls)
		if err != nil {
			return 0
		}
		isError := h.Level == unix.SOL_IP && h.Type == unix.IP_RECVERR || h.Level == unix.SOL_IPV6 && h.Type == unix.IPV6_RECVERR
		if isError && len(data) >= int(unsafe.Sizeof(unix.SockExtendedErr{})) {
			e := (*unix.SockExtendedErr)(unsafe.Pointer(&data[0]))
			// A refusal of our own kernel's comes here too, but without
			// the port: refuseTooBig tells of it.
			if e.Errno == uint32(unix.EMSGSIZE) && e.Origin != unix.SO_EE_ORIGIN_LOCAL {
				return int(e.Info)
			}
		}
		controls = rest
	}
	return 0
}
