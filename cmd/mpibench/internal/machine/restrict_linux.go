package machine

import (
	"os"
	"runtime"

	"golang.org/x/sys/unix"
)

// Restrict has the program, with all that it starts, run on so many cores only, if it may
// use more. It starts the program anew for that, as its threads keep what they have.
func Restrict(cores int) error {
	var allowed, few unix.CPUSet
	if err := unix.SchedGetaffinity(0, &allowed); err != nil {
		return err
	}
	if allowed.Count() <= cores {
		return nil
	}
	for cpu := 0; few.Count() < cores; cpu++ {
		if allowed.IsSet(cpu) {
			few.Set(cpu)
		}
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	runtime.LockOSThread() // it is this thread that becomes the new program
	if err := unix.SchedSetaffinity(0, &few); err != nil {
		return err
	}
	return unix.Exec(self, os.Args, os.Environ())
}
