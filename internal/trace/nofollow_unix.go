//go:build unix

package trace

import "syscall"

// noFollow has an open fail that would follow a link.
const noFollow = syscall.O_NOFOLLOW
