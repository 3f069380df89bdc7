package main

import (
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/bench"
)

// command is a benchmark by its name.
type command struct {
	name, about string
	// cores, unless 0, is the number of cores to measure on where the host has more.
	cores int
	// limit, unless 0, is the default of --limit: with it the command ends in less than five minutes.
	limit time.Duration
	// media says that the command chooses between network and shared memory itself, or has no ranks that could share any.
	media bool
	new   func() bench.Benchmark
}

// compared says what several progress modes give, of commands that take them.
const compared = `
With --progress inline,event each round has each mode in turn, and changes are in percent of the first:
the median quotient of all rounds by all, and from four rounds on its confidence interval of 95%. Where
messages go one way the processor time of sender and receiver is told apart, as a part of the whole time.`

var commands = []command{
	{name: "latency", new: func() bench.Benchmark { return new(bench.Latency) },
		about: `Half the round trip of a message between two ranks.` + compared},
	{name: "bandwidth", new: func() bench.Benchmark { return new(bench.Bandwidth) },
		about: `Bandwidth of long messages between two ranks, in one and in both directions.
A window of messages is sent at a time.` + compared},
	{name: "rate", new: func() bench.Benchmark { return new(bench.Rate) },
		about: `Rate of short messages between two ranks, in one and in both directions.
A window of messages is sent at a time.` + compared},
	{name: "loggp", new: func() bench.Benchmark { return new(bench.LogGP) },
		about: `The parameters of the LogGP model of messages, by the definitions of Bell and others (IPDPS 2003).
EEL, the end-to-end latency, is half of a round trip of 8 bytes. The gap is the time for each
message of a flood, which keeps some under way: it begins that many, and then completes half of
them and begins as many. g is the least gap of 8 bytes. G is what each byte of a longer message
adds: (its gap - g) / bytes, at the largest length. From g/G on a message is large: its bytes
cost more time than the message as such. o_s and o_r are what sender and receiver do themselves,
found with one message under way by computation that grows until it shows. Coalescing makes g
small, and o_s, of one message alone, cannot be compared with it: so there are rows without it, for
which each message leaves at once (SCTPMPI_PROGRESS=event). What MPI is above is measured too:
engine, udp and tcp alone. --plot draws g/G, and the gaps into a second file.`},
	{name: "overlap", new: func() bench.Benchmark { return new(bench.Overlap) },
		about: `How much of a receive happens while the program computes, in each progress mode.
The receiver posts a receive, asks for the message, computes, and waits. The share hidden is
1 - (wait after computing) / (receive without computing). With --operation allreduce both ranks
start a nonblocking allreduce instead of the receive. The total is from the receive to the end of its
wait. --compute 1M,10M,100M counts to so many, as the thesis of Majumder does (figures 4.9 to 4.11).` + compared},
	{name: "unexpected", new: func() bench.Benchmark { return new(bench.Unexpected) },
		about: `Receives that are posted before their messages arrive, and after.` + compared},
	{name: "matching", new: func() bench.Benchmark { return new(bench.Matching) },
		about: `The latency with many posted receives or unexpected messages that match nothing.`},
	{name: "pushback", new: func() bench.Benchmark { return new(bench.PushBack) },
		about: `The rate of messages beside others that the receiver does not read, and its memory for these.
Messages of one tag are received, a window at a time, first alone, then beside the others, and
alone again when these have been received. By default the others are one message of 1 GiB, 10,000
of 1 KiB with one tag, or 10,000 with a tag of each its own.`},
	{name: "multiprogram", new: func() bench.Benchmark { return new(bench.Multiprogram) }, cores: 2,
		about: `Slowdown of a job by other programs on its two cores, for each way of waiting.
The job is a kernel of NAS, or computes and sums up a vector in turn (synthetic). Several copies run
at the same time, and one copy beside sequential programs, which have a number of them on each core.
The slowdown is the time of the slowest copy by that of one copy alone; by the fair share it is 1 if
each program has an equal share of the cores. The time of a rank has parts: the processor time that it
takes alone when it only blocks (computing); what else it has a processor for (spinning); when it is
switched out of either; and when it is blocked in a wait. The speed of a sequential program is a share
of its speed on an otherwise idle core. Ranks that only spin let others have the processor now and
then (sched_yield). Last, what each way of waiting costs alone: --duration matters for that only.`},
	{name: "oversubscribe", new: func() bench.Benchmark { return new(bench.Oversubscribe) }, cores: 2,
		about: `Barrier and allreduce of up to 32 ranks on two cores.`},
	{name: "connections", new: func() bench.Benchmark { return new(bench.Connections) }, cores: 2,
		about: `What connections with idle ranks cost two ranks that exchange messages.
Each of the two has a connection with each idle rank. All ranks are in one process; those that
wait spin for 50 µs, as ranks with a processor each do.`},
	{name: "waiting", media: true, new: func() bench.Benchmark { return new(bench.Waiting) },
		about: `How long select, poll and epoll take over many connections of which one can be read from.
Transports wait by epoll alone. Connections are of TCP over loopback within this process; there are
no ranks. What select and poll are told of all connections is told anew for each call.`},
	{name: "collectives", new: func() bench.Benchmark { return new(bench.Collectives) },
		about: `The time of collective operations.`},
	{name: "nas", new: func() bench.Benchmark { return new(bench.NAS) },
		about: `Kernels of the NAS Parallel Benchmarks, in each progress mode and over each transport.
Each run is a job of its own, whose results are verified. The time is that of the slowest rank, without
set-up. Times are compared with those in the first mode, with those over the first transport, and with
those on the fewest ranks. Low and high are a confidence interval of 95% from six rounds on.
--duration does not matter: a kernel takes as long as its class makes it.`},
	{name: "hpl", media: true, new: func() bench.Benchmark { return new(bench.HPL) },
		about: `High-Performance Linpack in C over this library, in each progress mode and over each transport, and over
Open MPI and MPICH. Its programs are built from Debian's source by make conformance PROGRAMS=hpl.
Each run is a job of its own, whose residual is verified. The time is that of the solution, by HPL's
clock; it is compared with that in the first mode, with that over the first transport, and with that
of the faster of the other two. --duration does not matter.`},
	{name: "onesided", new: func() bench.Benchmark { return bench.OneSided() }, cores: 2, limit: 4 * time.Minute, media: true,
		about: `One-sided operations on the other of two ranks, beside Open MPI and MPICH.
The time is from the call that begins an operation to the return of MPI_Win_flush, in a window of
MPI_Win_allocate. The target waits for a message meanwhile. Then epochs with one put: of MPI_Win_lock
(exclusive), MPI_Win_fence, and MPI_Win_post and MPI_Win_start. Media and peers are as with peers.`},
	{name: "peers", new: func() bench.Benchmark { return new(bench.Peers) }, cores: 2, limit: 4 * time.Minute, media: true,
		about: `This library beside Open MPI and MPICH, over a network and over shared memory.
Small C programs, built with the peers' compilers, do the same work as our ranks. Over the
network each transport is compared with the better peer over TCP; over shared memory, which
is the same for all transports that use it, sctp-engine with the better peer over its own.`},
}
