package rpi

import (
	"os"
	"sync"

	"golang.org/x/sys/unix"
)

// atSecure is AT_SECURE (getauxval(3)).
const atSecure = 23

// Privileged reports whether the process has rights that who has started it lacks, as a setuid program has: then
// environment variables must not name files. It is read from the system once.
var Privileged = sync.OnceValue(func() bool {
	if auxv, err := unix.Auxv(); err == nil {
		for _, entry := range auxv {
			if entry[0] == atSecure {
				return entry[1] != 0
			}
		}
	}
	return os.Getuid() != os.Geteuid() || os.Getgid() != os.Getegid()
})
