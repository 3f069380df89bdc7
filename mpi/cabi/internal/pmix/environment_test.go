package pmix

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestServerIsNamedByTheEnvironment(t *testing.T) {
	for _, test := range []struct {
		environ []string
		found   bool
		why     string
	}{
		{nil, false, ""},
		{[]string{"PMIX_RANK=3", "PMIX_NAMESPACE=slurm.pmix.1.0", "PMIX_SERVER_URI41=pmix-server.1;tcp4://127.0.0.1:1"}, true, ""},
		{[]string{"PMIX_NAMESPACE=a", "PMIX_SERVER_URI2=b"}, false, ""},
		{[]string{"PMIX_RANK=3", "PMIX_NAMESPACE=a"}, false, "PMIX_RANK=3, but not PMIX_NAMESPACE and PMIX_SERVER_URI (unset PMIX_RANK to run alone)"},
		{[]string{"PMIX_RANK=3", "PMIX_SERVER_URI3=b"}, false, "PMIX_RANK=3, but not PMIX_NAMESPACE and PMIX_SERVER_URI (unset PMIX_RANK to run alone)"},
	} {
		found, err := named(test.environ)
		require.Equal(t, test.found, found, test.environ)
		if test.why == "" {
			require.NoError(t, err)
		} else {
			require.ErrorContains(t, err, test.why)
		}
	}
}
