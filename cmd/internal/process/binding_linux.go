package process

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// Bind divides the cores on which this process may run between so many ranks. 1,024 processors at most are known.
func Bind(ranks int) (Binding, error) {
	mine, err := Cores()
	if err != nil {
		return nil, fmt.Errorf("--bind-to core: %w", err)
	}
	return divide(mine, ranks), nil
}

// Cores returns the cores on which this process may run, each with its processors.
func Cores() ([][]int, error) {
	var may unix.CPUSet
	if err := unix.SchedGetaffinity(0, &may); err != nil {
		return nil, fmt.Errorf("the system does not say which processors there are: %w", err)
	}
	return cores(&may, siblings), nil
}

// cores groups processors by the core that they belong to. Siblings says by a text which other ones belong to it.
func cores(may *unix.CPUSet, siblings func(processor int) string) (cores [][]int) {
	known := make(map[string]int)
	for n := range 8 * int(len(may)) * (strconv.IntSize / 8) {
		if !may.IsSet(n) {
			continue
		}
		core := siblings(n)
		at, ok := known[core]
		if !ok {
			at = len(cores)
			known[core] = at
			cores = append(cores, nil)
		}
		cores[at] = append(cores[at], n)
	}
	return cores
}

// siblings are the processors of a processor's core, as the system lists them. One of which it does not say that is a core.
func siblings(processor int) string {
	text, err := os.ReadFile(fmt.Sprintf("/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", processor))
	if err != nil {
		return strconv.Itoa(processor)
	}
	return strings.TrimSpace(string(text))
}

// on calls start in a thread that runs on these processors only: a process that it starts inherits that.
func on(processors []int, start func() error) error {
	if len(processors) == 0 {
		return start()
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var before, wanted unix.CPUSet
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		return os.NewSyscallError("sched_getaffinity", err)
	}
	for _, n := range processors {
		wanted.Set(n)
	}
	if err := unix.SchedSetaffinity(0, &wanted); err != nil {
		return os.NewSyscallError("sched_setaffinity", err)
	}
	err := start()
	_ = unix.SchedSetaffinity(0, &before) // it has run there until now
	return err
}
