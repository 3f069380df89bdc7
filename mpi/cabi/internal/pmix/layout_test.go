package pmix

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// headers is where a system may have those of the library: Debian's package libpmix-dev, and others.
var headers = []string{"/usr/lib/x86_64-linux-gnu/pmix2/include", "/usr/lib/aarch64-linux-gnu/pmix2/include", "/usr/include"}

func TestTypesAreThoseOfTheLibrary(t *testing.T) {
	for _, folder := range headers {
		if _, err := os.Stat(filepath.Join(folder, "pmix.h")); err == nil {
			require.Equal(t, layout(t, folder, "pmix.h"), layout(t, ".", "api.h"))
			return
		}
	}
	t.Skip("the library's headers are missing: apt-get install libpmix-dev")
}

// layout is what testdata/layout.c says about a header.
func layout(t *testing.T, folder, header string) string {
	program := filepath.Join(t.TempDir(), "layout")
	out, err := exec.Command("cc", "-I"+folder, "-include", header, "-o", program, "testdata/layout.c").CombinedOutput()
	require.NoError(t, err, string(out))
	out, err = exec.Command(program).Output()
	require.NoError(t, err)
	return string(out)
}
