package spin

import "golang.org/x/sys/unix"

// Yield lets another process have the processor, if one waits for it.
func Yield() { _, _, _ = unix.RawSyscall(unix.SYS_SCHED_YIELD, 0, 0, 0) }
