//go:build unix

package farm

import "syscall"

// noFollow has an open fail that would follow a link, and one of a FIFO not wait.
const noFollow = syscall.O_NOFOLLOW | syscall.O_NONBLOCK
