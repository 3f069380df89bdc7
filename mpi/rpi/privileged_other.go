//go:build !linux

package rpi

import "os"

// Privileged reports whether the process has rights that who has started it lacks, as a setuid program has: then environment variables
// must not name files.
func Privileged() bool { return os.Getuid() != os.Geteuid() || os.Getgid() != os.Getegid() }
