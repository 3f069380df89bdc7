package process

import (
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Reserved says whether an environment variable of a rank is the launcher's to set. Those that other launchers have
// left in the environment, if mpirun itself runs inside a job, would mislead the ranks and are removed.
func Reserved(name string) bool {
	for _, prefix := range []string{"PMI_", "PMI2_", "PMIX_", "OMPI_COMM_WORLD_"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return slices.Contains([]string{
		"MPI_LOCALRANKID", "MPI_LOCALNRANKS", "OMPI_UNIVERSE_SIZE", rpi.EnvJobToken, rpi.EnvLocalRank, rpi.EnvLocalSize, rpi.EnvLocalProcessors,
		rpi.EnvLauncher, rpi.EnvTerminal,
	}, name)
}

// Environment is what the ranks of this host share of their environment: what this process has inherited, settings on top of
// it, and what is said of the host, which runs so many ranks, bound or not.
func Environment(inherited, settings []string, ranks int, binding Binding) []string {
	env := slices.DeleteFunc(slices.Clone(inherited), func(setting string) bool {
		name, _, _ := strings.Cut(setting, "=")
		return Reserved(name)
	})
	cpus := Processors()
	env = append(env, settings...)
	env = append(env,
		rpi.EnvLocalSize+"="+strconv.Itoa(ranks),
		rpi.EnvLocalProcessors+"="+strconv.Itoa(cpus),
		rpi.EnvLauncher+"="+strconv.Itoa(os.Getpid()))
	if Lookup(env, GoProcessors) == "" {
		share := Share(cpus, ranks)
		if len(binding) > 0 {
			share = min(share, binding.least())
		}
		env = append(env, GoProcessors+"="+strconv.Itoa(share))
	}
	return env
}

// Lookup is the value of a variable: the last one that is set counts.
func Lookup(environment []string, name string) (value string) {
	for _, setting := range environment {
		if v, ok := strings.CutPrefix(setting, name+"="); ok {
			value = v
		}
	}
	return value
}
