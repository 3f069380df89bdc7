package pmix

import (
	"errors"
	"fmt"
	"os"
	"strings"
)

// named reports whether the environment names a PMIx server. One that does so in part is an error: this process must not run as a
// world of one beside its siblings.
func named(environ []string) (bool, error) {
	rank, nspace, server := "", false, false
	for _, variable := range environ {
		name, value, _ := strings.Cut(variable, "=")
		switch {
		case name == "PMIX_RANK":
			rank = value
		case name == "PMIX_NAMESPACE":
			nspace = true
		case strings.HasPrefix(name, "PMIX_SERVER_URI"): // a digit or two follow: the version of the protocol
			server = true
		}
	}
	if rank != "" && !(nspace && server) {
		return false, fmt.Errorf("pmix: a launcher has set PMIX_RANK=%s, but not PMIX_NAMESPACE and PMIX_SERVER_URI "+
			"(unset PMIX_RANK to run alone)", rank)
	}
	return rank != "", nil
}

// errPrivileged: PMIx's library reads names of files and of plugins from the environment, which a setuid program must not follow.
var errPrivileged = errors.New("pmix: this program has other rights than its user (setuid, or capabilities), and may not trust the " +
	"environment as PMIx does: start it with PMI (srun --mpi=pmi2, mpirun of this library), or without such rights")

// library is the file name by which the dynamic linker finds PMIx. Versions 2 to 6 of OpenPMIx have it.
const library = "libpmix.so.2"

// missing is the error of a library that cannot be loaded.
func missing(why string) error {
	text := "pmix: the launcher offers PMIx, and the library for it cannot be loaded: " + why +
		": install it (Debian: libpmix2), name its folder in LD_LIBRARY_PATH, or use a launcher without PMIx"
	if _, slurm := os.LookupEnv("SLURM_JOB_ID"); slurm {
		text += ", as srun --mpi=pmi2"
	}
	return errors.New(text)
}
