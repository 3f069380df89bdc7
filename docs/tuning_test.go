package docs

import (
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Every variable that mpirun's help lists for users to set is explained in tuning.md.
func TestTuningNamesEveryVariable(t *testing.T) {
	help, err := os.ReadFile("../cmd/mpirun/help.go")
	require.NoError(t, err)
	tuning, err := os.ReadFile("tuning.md")
	require.NoError(t, err)
	set := regexp.MustCompile(`(?s)Environment variables:.*Set for each rank`).Find(help)
	variables := regexp.MustCompile(`SCTPMPI_[A-Z_]+`).FindAllString(string(set), -1)
	require.NotEmpty(t, variables)
	for _, v := range variables {
		assert.Contains(t, string(tuning), "| `"+v+"`")
	}
}
