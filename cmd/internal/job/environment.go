package job

import (
	"slices"

	"github.com/sctpmpi/sctpmpi/cmd/internal/process"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// checkEnvironment warns of variables of the ranks that do not exist. It returns an error if the range of ports is too
// small for the ranks. All other values the ranks check themselves.
func (j *job) checkEnvironment() error {
	var all []string
	ranks := make(map[string]int) // by the value of rpi.EnvPortRange
	for _, app := range j.spec.Apps {
		env := slices.Concat(j.env, app.Env)
		all = append(all, env...)
		ranks[process.Lookup(env, rpi.EnvPortRange)] += app.N
	}
	for _, text := range rpi.MistakenVariables(all) {
		j.say(text)
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
	return nil
}
