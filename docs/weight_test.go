package docs

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A program of package mpi is a static file of some megabytes. What it does not need stays out of it: of the standard library what is
// heavy, and of other modules all but the handshake's cryptography and the system's interface.
func TestProgramsCarryNoMoreThanTheyNeed(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "../mpi").Output()
	require.NoError(t, err)
	packages := strings.Fields(string(out))
	heavy := []string{
		"archive", "crypto/tls", "crypto/x509", "database", "embed", "encoding/asn1", "encoding/xml", "expvar", "flag", "go", "html", "image",
		"mime", "net/http", "net/rpc", "net/textproto", "os/exec", "os/user", "plugin", "regexp", "runtime/trace", "testing", "text/template",
	}
	modules := []string{"github.com/sctpmpi/sctpmpi", "github.com/flynn/noise", "github.com/ishidawataru/sctp", "golang.org/x/crypto", "golang.org/x/sys"}
	within := func(p string, folders []string) bool {
		for _, folder := range folders {
			if p == folder || strings.HasPrefix(p, folder+"/") {
				return true
			}
		}
		return false
	}
	for _, p := range packages {
		assert.False(t, within(p, heavy), "each program has %s", p)
		if domain, _, _ := strings.Cut(p, "/"); strings.Contains(domain, ".") {
			assert.True(t, within(p, modules), "a new module: %s", p)
		}
	}
	assert.Greater(t, len(packages), 100)
}
