package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/sctpmpi/sctpmpi/mpi/cabi/internal/table"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// What is shown to tools has the numbers of the table, and each error has a text.
func TestToolConstantsAreThoseOfTheTable(t *testing.T) {
	here := map[string]int{
		"T_VERBOSITY_USER_BASIC": verbosityUser, "T_VERBOSITY_TUNER_BASIC": verbosityTuner, "T_BIND_NO_OBJECT": bindNoObject,
		"T_SCOPE_CONSTANT": scopeConstant, "T_PVAR_CLASS_STATE": classState, "T_PVAR_CLASS_LEVEL": classLevel,
		"T_PVAR_CLASS_COUNTER": classCounter, "INT": int(intValue), "UNSIGNED_LONG_LONG": int(countValue),
		"DOUBLE": int(secondValue), "CHAR": int(textValue), "T_ERR_NOT_INITIALIZED": int(toolNotInitialized),
		"T_ERR_INVALID": int(toolInvalid), "T_ERR_INVALID_INDEX": int(toolInvalidIndex), "T_ERR_INVALID_SESSION": int(toolInvalidSession),
		"T_ERR_INVALID_HANDLE": int(toolInvalidHandle), "T_ERR_INVALID_NAME": int(toolInvalidName),
		"T_ERR_OUT_OF_HANDLES": int(toolOutOfHandles), "T_ERR_OUT_OF_SESSIONS": int(toolOutOfSessions),
		"T_ERR_CVAR_SET_NEVER": int(toolSetNever), "T_ERR_PVAR_NO_WRITE": int(toolNoWrite),
		"T_ERR_PVAR_NO_STARTSTOP": int(toolNoStartStop), "T_ERR_PVAR_NO_ATOMIC": int(toolNoAtomic),
	}
	classes := 0
	for _, c := range table.Constants() {
		if n, ok := here[c.Name]; ok {
			assert.EqualValues(t, *c.Std, n, c.Name)
			delete(here, c.Name)
		}
		if strings.HasPrefix(c.Name, "T_ERR_") {
			classes++
			of, err := errorClass(int(*c.Std))
			assert.NoError(t, err, c.Name)
			assert.EqualValues(t, *c.Std, of, c.Name)
			text, err := errorString(int(*c.Std))
			assert.NoError(t, err, c.Name)
			assert.NotEmpty(t, text, c.Name)
		}
	}
	assert.Empty(t, here)
	assert.Equal(t, len(toolClassNames), classes)
}

// Every variable of the environment that a process reads is a control variable, but for the secret one.
func TestSettingsAreControlVariables(t *testing.T) {
	others := []string{
		rpi.EnvJobToken, rpi.EnvKillGrace, rpi.EnvDeadlock, rpi.EnvLocalRank, rpi.EnvLocalSize, rpi.EnvLocalProcessors, rpi.EnvTerminal,
		rpi.EnvLauncher,
	}
	names := others
	for _, c := range controls {
		names = append(names, c.name)
	}
	assert.ElementsMatch(t, rpi.Variables, names)
}
