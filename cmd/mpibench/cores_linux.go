package main

import (
	"os"
	"runtime"

	"golang.org/x/sys/unix"
)

// useCores limits this program, and the programs that it starts, to a number of cores. If the
// program may use more, it is executed again, as threads that run already would keep their cores.
func useCores(cores int) error {
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
	runtime.LockOSThread() // this thread becomes the new program
	if err := unix.SchedSetaffinity(0, &few); err != nil {
		return err
	}
	return unix.Exec(self, os.Args, os.Environ())
}
