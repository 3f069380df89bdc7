package job

import (
	"slices"
	"strings"

	"github.com/sctpmpi/sctpmpi/cmd/internal/process"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// checkEnvironment warns of variables of the ranks that do not exist. It returns an error if the range of ports is too
// small for the ranks. All other values the ranks check themselves.
func (j *job) checkEnvironment() error {
	var all []string
	for _, app := range j.spec.Apps {
		all = append(all, slices.Concat(j.env, app.Env)...)
	}
	for _, text := range rpi.MistakenVariables(all) {
		j.say(text)
	}
	for _, host := range j.spec.Hosts {
		ranks := make(map[string]int) // by the value of rpi.EnvPortRange
		for _, number := range host.Ranks {
			env := slices.Concat(j.env, j.spec.Apps[j.apps[number]].Env)
			ranks[process.Lookup(env, rpi.EnvPortRange)]++
		}
		for value, n := range ranks {
			low, high, err := rpi.ParsePortRange(value)
			if err != nil {
				continue // the ranks say so
			}
			if err := rpi.CheckPortRange(low, high, n); err != nil {
				return err
			}
		}
	}
	return nil
}

// along says which variables of mpirun's own environment go along to other hosts: those of the library, and those by which Go's
// runtime is set.
func along(environment []string) []string {
	return slices.DeleteFunc(slices.Clone(environment), func(setting string) bool {
		name, _, _ := strings.Cut(setting, "=")
		return process.Reserved(name) || !strings.HasPrefix(name, "SCTPMPI_") && !slices.Contains(runtimeVariables, name)
	})
}

// runtimeVariables are those of Go's runtime.
var runtimeVariables = []string{process.GoProcessors, "GODEBUG", "GOGC", "GOMEMLIMIT", "GORACE", "GOTRACEBACK"}
