package window

import "golang.org/x/sys/unix"

// MostMemory is how many bytes this host has for all processes together, swap included. Linux may grant more, and ends
// processes when it is used.
func MostMemory() int64 {
	var host unix.Sysinfo_t
	if unix.Sysinfo(&host) != nil {
		return addressSpace
	}
	return min(addressSpace, int64(host.Totalram+host.Totalswap)*int64(host.Unit))
}
