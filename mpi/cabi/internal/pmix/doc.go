// Package pmix is how a C program learns its rank and the addresses of the others from a launcher that speaks PMIx: Slurm's
// srun --mpi=pmix, Open MPI's mpirun, PRRTE's prterun.
//
// PMIx has no portable wire format. A process speaks it by a library of the same family as its server's, libpmix.so.2, which is
// loaded when the environment shows a PMIx server, and not before: programs need none under other launchers, or alone.
//
// What the library is called with is declared in api.h, not taken from its headers. The layout of these few types is part of PMIx's
// ABI (PMIx Standard, since 4.1), and they have the same in OpenPMIx 3.1 to 6.1, all of which are libpmix.so.2. So one build serves all
// of them, and needs no package to build. TestTypesAreThoseOfTheLibrary compares them with the headers where these are installed.
//
// PMIx keeps what each rank has put by its rank. One fence collects all of it on every host, so that to read a value asks the server
// of the own host at most. A job of n ranks costs two fences with n values, and a Get for each peer that a rank talks with.
package pmix
