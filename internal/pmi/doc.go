// Package pmi is how a process of a parallel job learns its rank and the addresses of the others: the PMI-1 wire
// protocol, version 1.1, as MPICH's Hydra and Slurm's srun --mpi=pmi2 speak it. It is for package mpi and for
// launchers, not for programs.
//
// A [Client] is the side of a rank. It learns rank, size and the name of the job's key-value space, publishes its
// transport address with [Client.Put], meets the others in [Client.Fence] and reads theirs with [Client.Get].
// A [Server] is the side of a launcher on one host; mpirun embeds it.
//
// # The wire
//
// Requests and replies are lines of text, "cmd=NAME key=value key=value\n", over a stream socket that the launcher passes
// to each rank (PMI_FD) or listens on (PMI_PORT). Each request has one reply, except abort, which has none. A client has
// at most one request under way and writes each line at once, because Slurm reads one request per read(2).
//
// A [Server] says that it is one (sctpmpi=1 in its answer to init). Then a client may make requests that have no reply,
// watch, peer_failed and answer, and the server may say something unasked to a client that watches: cmd=notice what=TEXT. If the
// job goes on when ranks die, that is what=died\ RANK for each death; see [Death]. Hydra tells of deaths by SIGUSR1 and the key
// PMI_dead_processes, which a [Client] that watches makes such notices of.
//
// # Bounds
//
// A line has at most 8192 bytes; a client sends at most 1024, the size of Slurm's buffer. A key-value space keeps at
// most 256 keys of each rank, with keys shorter than 64 and values shorter than 1024 bytes, as Hydra's, so that one
// rank can make the server hold 272 KiB. A server holds one connection per rank and at most 16 more that have not yet
// said which rank they are; those are cut after 10 seconds.
package pmi
