// Package simulate runs the schedules of all ranks of a communicator in one goroutine, for tests: [Run] on real buffers
// and in random order, [Time] in virtual time on a modelled network. [Check] finds steps of a schedule that could meet in
// memory.
package simulate
