package job

import (
	"slices"
	"strings"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// checkEnvironment says which variables of the ranks have no meaning, and returns what is wrong with the values of others
// as far as it does not need the ranks to know.
func (j *job) checkEnvironment() error {
	var all []string
	ranks := make(map[string]int) // by the value of rpi.EnvPortRange
	for _, app := range j.spec.Apps {
		env := slices.Concat(j.env, app.Env)
		all = append(all, env...)
		ranks[lookup(env, rpi.EnvPortRange)] += app.N
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

// lookup is the value of a variable: the last one that is set counts.
func lookup(environment []string, name string) (value string) {
	for _, setting := range environment {
		if v, ok := strings.CutPrefix(setting, name+"="); ok {
			value = v
		}
	}
	return value
}
