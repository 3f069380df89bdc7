package main

import "strings"

// variables are the environment variables of the library and its launcher.
const variables = `Environment variables:
  SCTPMPI_TRANSPORT         sctp (default: the kernel's where it has one, else the engine's), sctp-kernel,
                            sctp-engine, sctp-pertrc, tcp-perpair or tcp-pertrc; --transport sets it
  SCTPMPI_STREAMS           how many streams an SCTP association has, 1 to 65535 (default 1024; of sctp-pertrc as many as
                            its memory allows)
  SCTPMPI_INTERLEAVE        1 has SCTP mix long messages itself (RFC 8260), 0 does it above (default); sctp-pertrc always
                            has SCTP do it
  SCTPMPI_ENCAPSULATE       1 has sctp-kernel put its packets in UDP, as sctp-engine does: then both can be in one job
  SCTPMPI_CONGESTION        congestion control of sctp-engine and sctp-pertrc: cubic (default), newreno, bbr or bbr-draft
  SCTPMPI_MULTIPATH         on has sctp-engine and sctp-pertrc send over all addresses of SCTPMPI_INTERFACE at once, between ranks
                            that all have it on; off leaves the others for when the first fails (default)
  SCTPMPI_ECN               off keeps routers from marking packets of sctp-engine and sctp-pertrc instead of dropping them
                            (default: on, where the system lets it); sctp-kernel does what net.sctp.ecn_enable says
  SCTPMPI_SHM               auto has ranks of one host send messages through memory that they share, where they can
                            (default); off has them use the network too
  SCTPMPI_ENCRYPT           on encrypts all that ranks send over the network, auth lets it be read, and not be changed or
                            forged, off protects nothing (default: on); see docs/security.md
  SCTPMPI_REPRODUCIBLE      0 lets reductions of floating-point numbers combine what is on each host first: then their last
                            bits depend on which ranks share a host (default 1: they do not)
  SCTPMPI_CHECK             length has C programs receive elements of other types than were sent, if they are as long
                            (default); types refuses them, as in Go; buffers finds out whether the program changes a buffer
                            before its operation has completed; types,buffers does both
  SCTPMPI_PROFILE           folder into which each rank in Go writes a CPU profile; --profile sets it
  SCTPMPI_TRACE             file in which each rank records what it does, with its number behind the name; --trace sets it
  SCTPMPI_DEBUG             1 has ranks say on standard error why they share no memory with a peer; --verbose sets it
  SCTPMPI_EAGER_LIMIT       longest message in bytes that is sent before its receive is posted (default 65536)
  SCTPMPI_UNEXPECTED_LIMIT  bytes that a process keeps of messages without a receive (default 64 MiB)
  SCTPMPI_PROGRESS          which goroutines move messages: hybrid (default), event or inline
  SCTPMPI_SPIN              how long a call that waits keeps its processor, 0 for not at all (default: measured)
  SCTPMPI_CONNECT           lazy connects ranks when they first talk (default), eager all of them at the start
  SCTPMPI_CONNECT_TIMEOUT   how long a connection may take to come about (default 30s)
  SCTPMPI_PEER_TIMEOUT      how long a rank may give no sign of life before it counts as dead (default 60s)
  SCTPMPI_FINALIZE_TIMEOUT  how long Finalize waits for peers once all ranks have called it (default 60s)
  SCTPMPI_INTERFACE         address, interface or network (CIDR) to bind to, several with commas: SCTP goes on over another
                            one when one is lost (default: loopback when all ranks are on one host, else the first global
                            unicast address)
  SCTPMPI_PUBLISH           address, or address:port, that peers are told, behind a translator of addresses; the port stands
                            for the first of SCTPMPI_PORT_RANGE (default: what is bound)
  SCTPMPI_PORT_RANGE        ports to bind to, first-last (default: any)
  SCTPMPI_KILL_GRACE        how long ranks have between being asked to end and being killed (default 1s); read by mpirun
  SCTPMPI_DEADLOCK_CHECK    when mpirun first asks the ranks whether all wait for each other, and then ever more rarely
                            (default 5s, 0: never); read by mpirun
  SCTPMPI_JOB_TOKEN         secret by which the ranks of a job know each other, under other launchers; those of mpirun get
                            it over their PMI connections
Set for each rank by mpirun:
  SCTPMPI_LOCAL_RANK        number of the rank among those of its host
  SCTPMPI_LOCAL_SIZE        how many ranks its host has
  SCTPMPI_LOCAL_PROCESSORS  how many processors these may use together
  SCTPMPI_LAUNCHER          process number of mpirun
  SCTPMPI_STATISTICS        1 if ranks are to tell mpirun what they have counted; --stats sets it
  SCTPMPI_TERMINAL          1 if mpirun's standard error is a terminal: ranks may draw progress bars
  GOMAXPROCS                the rank's share of the processors, two at least where there are two; unless it is set already
`

func help() string {
	var o options
	var b strings.Builder
	b.WriteString("usage: mpirun [flags] PROGRAM [ARGUMENT...] [: [flags] PROGRAM [ARGUMENT...]]...\n" +
		"       mpirun status|top [--json] [--interval D] [JOB]\n" +
		"       mpirun doctor [--host a,b | PROGRAM]\n" +
		"       mpirun serve --secret FILE [--port N] [--launch-timeout D]\n" +
		"       mpirun help | --version\n\n")
	b.WriteString("Starts a parallel job, on this host or on those of --host. Flags end at the program; -n, -x, --wdir and --abi apply up to the next colon.\n" +
		"mpirun status shows a job of yours that runs, and mpirun top goes on showing it: what each rank does, and who waits for whom. JOB is the process number\n" +
		"of its mpirun, or its program's name; --interval is the time between two looks.\n" +
		"mpirun doctor says what this host lacks, or others, and what mends it, or which MPI a program takes. mpirun serve waits for an mpirun elsewhere, whose\n" +
		"--launch-agent is \"mpirun connect --secret FILE [--port N]\", and runs its ranks here: see docs/kubernetes.md. Programs with such names are ./doctor, ./serve, ./help, ./top. mpiexec is another name of mpirun.\n\n")
	b.WriteString("Flags:\n")
	b.WriteString(o.flagSet(true).FlagUsages())
	b.WriteString("\n" + variables)
	b.WriteString("\nExit status: 0, or that of the first rank that fails (128 + number for a signal); 124 after --timeout; " +
		"2 for a\nwrong command line; 126 and 127 for a program that cannot be run or found. See docs/launching.md.\n")
	return b.String()
}
