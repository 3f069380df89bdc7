package process

import (
	"slices"
	"strconv"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// ofOpenMPI is in the environment of a program of Open MPI. Each of its ranks has, in its place, the variables that Open MPI's launcher
// sets: programs and scripts read them before, or without, MPI_Init.
const ofOpenMPI = "OMPI_COMM_WORLD_RANK="

// withOpenMPI is the environment of a rank.
func withOpenMPI(environment []string, rank, size int) []string {
	if !slices.Contains(environment, ofOpenMPI) {
		return environment
	}
	local := Lookup(environment, rpi.EnvLocalRank)
	return append(slices.DeleteFunc(slices.Clone(environment), func(setting string) bool { return setting == ofOpenMPI }),
		ofOpenMPI+strconv.Itoa(rank),
		"OMPI_COMM_WORLD_SIZE="+strconv.Itoa(size),
		"OMPI_COMM_WORLD_LOCAL_RANK="+local,
		"OMPI_COMM_WORLD_NODE_RANK="+local,
		"OMPI_COMM_WORLD_LOCAL_SIZE="+Lookup(environment, rpi.EnvLocalSize),
		"OMPI_UNIVERSE_SIZE="+strconv.Itoa(size))
}
