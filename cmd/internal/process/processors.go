package process

import "runtime"

// GoProcessors is the variable by which Go's runtime is told how many processors a process may use at a time.
const GoProcessors = "GOMAXPROCS"

// Processors is how many processors the ranks of this host may use together: those that mpirun may use, by its affinity
// and its control groups. A GOMAXPROCS in the environment is for the ranks and does not count.
func Processors() int {
	runtime.SetDefaultGOMAXPROCS()
	return runtime.GOMAXPROCS(0)
}

// Share is at how many processors at a time a rank may run: its part of them, but two if there are as many. The event loop
// needs one of its own while the program computes, as Go would interrupt the program for it only every 10 ms.
func Share(processors, ranks int) int { return min(processors, max(2, processors/max(1, ranks))) }
