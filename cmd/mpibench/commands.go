package main

import "github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/bench"

// command is a benchmark by its name.
type command struct {
	name, about string
	// cores, unless 0, is the number of cores to measure on where the host has more.
	cores int
	// limited is for a command that must not take long.
	limited bool
	new     func() bench.Benchmark
}

var commands = []command{
	{name: "latency", new: func() bench.Benchmark { return new(bench.Latency) },
		about: `Half the round trip of a message between two ranks.`},
	{name: "bandwidth", new: func() bench.Benchmark { return new(bench.Bandwidth) },
		about: `What a window of long messages moves between two ranks, one way and both ways.`},
	{name: "rate", new: func() bench.Benchmark { return new(bench.Rate) },
		about: `How many short messages a window moves between two ranks, one way and both ways.`},
	{name: "loggp", new: func() bench.Benchmark { return new(bench.LogGP) },
		about: `The parameters of the LogGP model of messages between two ranks.
EEL, the end-to-end latency, is half a round trip; g is the least gap between short messages
and G that between the bytes of long ones; o_s and o_r are the sender's and the receiver's
own time for a message, found by having it compute meanwhile; L is what these leave of EEL;
from the length g/G on, a message is large: its bytes cost more than its being one.`},
	{name: "overlap", new: func() bench.Benchmark { return new(bench.Overlap) },
		about: `How much of a receive happens while the program computes, in each progress mode.
The receiver posts a receive, asks for the message, computes, and waits. The share that is
hidden is what the wait lacks of a receive without computation.`},
	{name: "unexpected", new: func() bench.Benchmark { return new(bench.Unexpected) },
		about: `Receives that are posted before their messages come, and after.`},
	{name: "matching", new: func() bench.Benchmark { return new(bench.Matching) },
		about: `The latency beside receives, or messages, that match nothing.`},
	{name: "multiprogram", new: func() bench.Benchmark { return new(bench.Multiprogram) }, cores: 2,
		about: `What a job suffers from others on its two cores, by the way in which it waits.
Two and three copies of a job that computes and sums up a vector in turn, and one beside
sequential programs; slowdown is against one copy alone. The speed of a sequential program
is a share of what it has on a core of its own.`},
	{name: "oversubscribe", new: func() bench.Benchmark { return new(bench.Oversubscribe) }, cores: 2,
		about: `Barrier and allreduce of up to 32 ranks on two cores.`},
	{name: "collectives", new: func() bench.Benchmark { return new(bench.Collectives) },
		about: `The time of collective operations.`},
	{name: "peers", new: func() bench.Benchmark { return new(bench.Peers) }, cores: 2, limited: true,
		about: `This library beside Open MPI and MPICH over TCP.
The same work, by small C programs that are built with the peers' compilers, in turn with
each of our transports. Figures of the peers over shared memory, which no transport of ours
uses, are shown too. The ratios compare with the better peer over TCP.`},
}
