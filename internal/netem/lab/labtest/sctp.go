package labtest

import (
	"os"
	"strconv"
)

// UDPPort is where the kernel of tests in a lab takes SCTP packets in UDP (RFC 6951).
const UDPPort = 9899

// PrepareSCTP sets the kernel's SCTP as tests expect it, in the calling thread's network namespace: each association has
// buffers of its own, messages may be interleaved, and packets may come in UDP. Run does it for the lab's own namespace.
func PrepareSCTP() error {
	for name, value := range map[string]int{
		"sndbuf_policy": 1, "rcvbuf_policy": 1, "intl_enable": 1, "udp_port": UDPPort,
	} {
		if err := SetSCTP(name, value); err != nil {
			return err
		}
	}
	return nil
}

// SetSCTP sets one of net.sctp in the calling thread's network namespace.
func SetSCTP(name string, value int) error {
	return os.WriteFile("/proc/sys/net/sctp/"+name, strconv.AppendInt(nil, int64(value), 10), 0)
}
