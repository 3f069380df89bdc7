package trace

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// FuzzAppendEvents joins what a rank of another host may have sent for its file: whole lines, of which nothing is added.
func FuzzAppendEvents(f *testing.F) {
	f.Add([]byte("{\"name\":\"send\",\"ph\":\"X\",\"pid\":0,\"ts\":1234.567,\"dur\":1},\n{\"cut\":"), int64(0))
	f.Add([]byte("{\"name\":\"\\\"ts\\\":\",\"ts\":1.000,},\n"), int64(5000))
	f.Add([]byte("\n,\n,\"ts\":\n"), int64(-1))
	f.Fuzz(func(t *testing.T, text []byte, ahead int64) {
		name := filepath.Join(t.TempDir(), "part")
		require.NoError(t, os.WriteFile(name, text, 0o600))
		part, err := os.Open(name)
		require.NoError(t, err)
		var out bytes.Buffer
		between, err := appendEvents(&out, part, "[\n", time.Duration(ahead))
		require.NoError(t, err)
		lines := bytes.Count(text, []byte("\n"))
		require.Equal(t, lines > 0 && out.Len() > 0, between == comma)
		require.LessOrEqual(t, out.Len(), len(text)+lines*64+len("[\n"))
	})
}
