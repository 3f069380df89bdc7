package pmi

import (
	"bufio"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A transcript is a golden conversation: "> " what the client says, "< " what the server says, "# " why it is there.
func transcript(t *testing.T, name string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	var lines []string
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSuffix(line, "\n"); !strings.HasPrefix(line, "#") {
			lines = append(lines, line)
		}
	}
	return lines
}

// playLauncher is the server of a transcript: it checks what it hears and says what is written.
func playLauncher(t *testing.T, conn net.Conn, lines []string) {
	t.Helper()
	defer conn.Close()
	in := bufio.NewReader(conn)
	for _, line := range lines {
		if said, ok := strings.CutPrefix(line, "< "); ok {
			if _, err := conn.Write([]byte(said + "\n")); !assert.NoError(t, err) {
				return
			}
			continue
		}
		heard, err := in.ReadString('\n')
		if !assert.NoError(t, err, "waiting for %q", line) || !assert.Equal(t, line, "> "+strings.TrimSuffix(heard, "\n")) {
			return
		}
	}
}

func TestClientSpeaksAsLaunchersExpect(t *testing.T) {
	for _, test := range []struct {
		file     string
		port     bool
		universe int
		appNum   int
	}{
		{"client-hydra-fd.txt", false, 0, 0},
		{"client-hydra-port.txt", true, 0, 0},
		{"client-hydra-next.txt", true, 2, 0},
		{"client-slurm.txt", false, 2, -1},
	} {
		t.Run(test.file, func(t *testing.T) {
			ctx := t.Context()
			near, far := net.Pipe()
			played := make(chan struct{})
			go func() {
				defer close(played)
				playLauncher(t, far, transcript(t, test.file))
			}()

			c := newClient(near)
			var err error
			if test.port {
				c, err = c.beginPort(ctx, 0)
			} else {
				c, err = c.begin(ctx, 0, 2)
			}
			require.NoError(t, err)
			assert.Equal(t, 0, c.Rank())
			assert.Equal(t, 2, c.Size())

			universe, err := c.UniverseSize(ctx)
			require.NoError(t, err)
			assert.Equal(t, test.universe, universe)
			appNum, err := c.AppNum(ctx)
			require.NoError(t, err)
			assert.Equal(t, test.appNum, appNum)
			require.NoError(t, c.Put(ctx, "addr-0", "tcp:127.0.0.1:7000"))
			require.NoError(t, c.Fence(ctx))
			value, err := c.Get(ctx, "addr-1")
			require.NoError(t, err)
			assert.Equal(t, "tcp:127.0.0.1:7001", value)
			_, err = c.Get(ctx, "nothing")
			require.ErrorIs(t, err, ErrKeyNotFound)
			require.NoError(t, c.Finalize(ctx))
			<-played
		})
	}
}

func TestServerAnswersAsClientsExpect(t *testing.T) {
	for _, file := range []string{"server-mpich.txt", "server-refusals.txt"} {
		t.Run(file, func(t *testing.T) {
			s, err := NewServer(Config{Size: 1, KVSName: "kvs_test", OnCut: func(rank int, reason error) {
				assert.Fail(t, "cut", "rank %d: %v", rank, reason)
			}})
			require.NoError(t, err)
			near, far := net.Pipe()
			served := make(chan struct{})
			go func() {
				defer close(served)
				s.ServeConn(0, far)
			}()
			in := bufio.NewReader(near)
			for _, line := range transcript(t, file) {
				if said, ok := strings.CutPrefix(line, "> "); ok {
					_, err := near.Write([]byte(said + "\n"))
					require.NoError(t, err)
					continue
				}
				heard, err := in.ReadString('\n')
				require.NoError(t, err, "waiting for %q", line)
				require.Equal(t, line, "< "+strings.TrimSuffix(heard, "\n"))
			}
			require.NoError(t, near.Close())
			<-served
			assert.Equal(t, Finalised, s.Phase(0))
		})
	}
}
