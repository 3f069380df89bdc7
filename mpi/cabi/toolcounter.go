package main

// #include "sctpmpi.h"
import "C"

import "sync/atomic"

// counter is a performance variable. It is about the whole process: how many of something there have been since MPI_Init, or how
// many there are. Programs that have sessions alone count nothing.
type counter struct {
	name, about string
	class       C.int // MPI_T_PVAR_CLASS_…
	category    int
	of          func(all *comm) uint64
	final       atomic.Uint64 // what the process has counted, once it has called MPI_Finalize
}

var counters = []*counter{
	{name: "state", about: "whether the process has called MPI_Init and MPI_Finalize", class: classState, category: rootCategory},
	{name: "messages_sent", about: "messages that the process has sent to others", class: classCounter,
		category: messageCategory, of: func(all *comm) uint64 { return all.Pending().MessagesSent }},
	{name: "messages_received", about: "messages of others that the process has received", class: classCounter,
		category: messageCategory, of: func(all *comm) uint64 { return all.Pending().MessagesReceived }},
	{name: "bytes_sent", about: "bytes of the messages that the process has sent to others", class: classCounter,
		category: messageCategory, of: func(all *comm) uint64 { return all.Pending().BytesSent }},
	{name: "bytes_received", about: "bytes of the messages of others that the process has received", class: classCounter,
		category: messageCategory, of: func(all *comm) uint64 { return all.Pending().BytesReceived }},
	{name: "open_operations", about: "operations that have been started and have not completed", class: classLevel,
		category: messageCategory, of: openOperations},
	{name: "unexpected_messages", about: "messages that have arrived and that no receive has taken", class: classLevel,
		category: messageCategory, of: unexpectedMessages},
	{name: "unexpected_bytes", about: "how many bytes of such messages the library keeps", class: classLevel,
		category: messageCategory, of: func(all *comm) uint64 { return uint64(max(all.Usage().Held, 0)) }},
	{name: "system_calls", about: "system calls to move messages, to wait for them and to connect", class: classCounter,
		category: networkCategory, of: func(all *comm) uint64 { return all.Usage().SystemCalls }},
	{name: "sockets", about: "open sockets, without those that listen", class: classLevel,
		category: networkCategory, of: func(all *comm) uint64 { return uint64(all.Usage().Sockets) }},
	{name: "streams", about: "streams of SCTP that have carried messages of the process", class: classLevel,
		category: networkCategory, of: func(all *comm) uint64 { return uint64(all.Usage().Streams) }},
	{name: "suspected_peers", about: "processes that this one has not heard for half of SCTPMPI_PEER_TIMEOUT", class: classLevel,
		category: networkCategory, of: suspectedPeers},
	{name: "shared_memory_peers", about: "processes that this one shares memory with", class: classLevel,
		category: networkCategory, of: func(all *comm) uint64 { return uint64(all.Usage().SharedPeers) }},
	{name: "shared_memory_bytes", about: "memory that this process has made to share it", class: classLevel,
		category: networkCategory, of: func(all *comm) uint64 { return uint64(all.Usage().Shared) }},
}

func openOperations(all *comm) uint64 {
	s := all.Pending()
	return uint64(len(s.Waits) + len(s.Open) + s.MoreWaits + s.MoreOpen)
}

func suspectedPeers(all *comm) uint64 {
	g, err := all.GetSuspected("MPI_T_pvar_read")
	if err != nil {
		return 0 // MPI_Finalize has been called
	}
	return uint64(g.Size())
}

func unexpectedMessages(all *comm) uint64 {
	s := all.Pending()
	return uint64(s.Messages())
}

// adds is whether the variable only grows. Then each handle counts on its own, from its start on. Others show what there is: they
// are continuous and read-only.
func (c *counter) adds() bool { return c.class == classCounter }

// now is the value in the process.
func (c *counter) now() uint64 {
	switch all := world.Load(); {
	case c.class == classState && process.finalized.Load():
		return 2
	case c.class == classState && process.initialized.Load():
		return 1
	case c.class != classState && all != nil:
		return c.of(all)
	}
	return c.final.Load()
}

// countedTo keeps what a process has counted that leaves its job.
func countedTo(all *comm) {
	for _, c := range counters {
		if c.adds() {
			c.final.Store(c.of(all))
		}
	}
}

// valueType is the datatype, and the enumeration if there is one.
func (c *counter) valueType() (valueType, *enumeration) {
	if c.class == classState {
		return intValue, states
	}
	return countValue, nil
}

// value is n as the datatype has it.
func (c *counter) value(n uint64) any {
	if c.class == classState {
		return int(n)
	}
	return n
}

func mpiTPvarGetNum() int { return len(counters) }

func counterAt(index C.int) (*counter, error) { return elementAt(counters, index) }

func mpiTPvarGetInfo(c *counter) (name string, verbosity int, varClass C.int, datatype, enumtype C.uintptr_t, about string, bind int,
	readonly, continuous, atomic bool) {
	t, enum := c.valueType()
	return c.name, verbosityUser, c.class, C.uintptr_t(t), enum.handle(), c.about, bindNoObject, !c.adds(), !c.adds(), c.adds()
}

func mpiTPvarGetIndex(name *C.char, varClass C.int, index *C.int) error {
	return tellIndex(index, name, len(counters), func(i int, name string) bool {
		return counters[i].name == name && counters[i].class == varClass
	})
}
