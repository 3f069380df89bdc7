//go:build unix

package file

import "syscall"

// noFollow has an open fail that would follow a link.
const noFollow = syscall.O_NOFOLLOW
