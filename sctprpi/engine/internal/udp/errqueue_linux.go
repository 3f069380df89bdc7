package udp

import (
	"net/netip"
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"
)

// errorsDrained is how many errors are read at a time. If there are more, the next
// system call says so.
const errorsDrained = 64

// drainErrors reads what routers and hosts have reported back (ICMP), which the kernel
// queues up, and appends what is of interest to reports.
func (n *native) drainErrors(reports []report) []report {
	var from name
	var message control
	var quoted [quotedSize]byte
	for range errorsDrained {
		iovec := unix.Iovec{Base: &quoted[0]}
		iovec.SetLen(len(quoted))
		h := unix.Msghdr{Name: &from[0], Namelen: uint32(len(from)), Iov: &iovec, Control: &message.bytes()[0]}
		h.SetIovlen(1)
		h.SetControllen(len(message.bytes()))
		got, _, errno := unix.RawSyscall6(unix.SYS_RECVMSG, uintptr(n.fd), uintptr(unsafe.Pointer(&h)),
			unix.MSG_ERRQUEUE|unix.MSG_DONTWAIT, 0, 0, 0)
		if errno == unix.EINTR {
			continue
		}
		if errno != 0 {
			break
		}
		to := from.get()
		if !to.IsValid() {
			continue
		}
		r := report{to: netip.AddrPortFrom(to.Addr().Unmap(), to.Port())}
		switch e := learnt(message.bytes()[:h.Controllen]); {
		case e.Origin != unix.SO_EE_ORIGIN_ICMP && e.Origin != unix.SO_EE_ORIGIN_ICMP6:
			// A refusal of our own kernel's comes here too, but without the
			// port: refuseTooBig tells of it.
			continue
		case e.Errno == uint32(unix.EMSGSIZE):
			r.mtu = int(e.Info)
		case e.Errno == uint32(unix.ECONNREFUSED):
			r.quoted = slices.Clone(quoted[:got])
		default:
			continue
		}
		reports = append(reports, r)
	}
	return reports
}

// learnt returns the error that control messages tell of.
func learnt(controls []byte) (e unix.SockExtendedErr) {
	for len(controls) > 0 {
		h, data, rest, err := unix.ParseOneSocketControlMessage(controls)
		if err != nil {
			break
		}
		isError := h.Level == unix.SOL_IP && h.Type == unix.IP_RECVERR || h.Level == unix.SOL_IPV6 && h.Type == unix.IPV6_RECVERR
		if isError && len(data) >= int(unsafe.Sizeof(e)) {
			return *(*unix.SockExtendedErr)(unsafe.Pointer(&data[0]))
		}
		controls = rest
	}
	return e
}
