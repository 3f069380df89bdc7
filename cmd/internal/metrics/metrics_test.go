package metrics

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/internal/sight"
)

// serving shows a job of so many ranks at a free port of the loopback interface.
func serving(t *testing.T, ranks int) (s *Server, address string) {
	t.Helper()
	c, err := Parse("127.0.0.1:0", "")
	require.NoError(t, err)
	s = New(c)
	require.NoError(t, s.Listen())
	w, _ := watching(ranks)
	s.Serve(w.look)
	t.Cleanup(s.Close)
	return s, s.listeners[0].Addr().String()
}

func fetch(t *testing.T, url string) (status int, body string) {
	t.Helper()
	client := &http.Client{Timeout: 5 * time.Minute, Transport: &http.Transport{DisableKeepAlives: true}}
	answer, err := client.Get(url)
	require.NoError(t, err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	return answer.StatusCode, string(text)
}

func TestAnAddressThatIsInUse(t *testing.T) {
	_, address := serving(t, 2)
	_, port, _ := net.SplitHostPort(address)
	for _, a := range []string{address, port} {
		c, err := Parse(a, "")
		require.NoError(t, err)
		assert.EqualError(t, New(c).Listen(), "--serve-metrics "+a+": "+address+" is in use: choose another port")
	}
}

// A scraper that asks and does not read holds up no other one.
func TestAScraperThatHangsHoldsUpNone(t *testing.T) {
	_, address := serving(t, 5000) // an answer of more than sockets hold
	for range maxConnections / 2 {
		conn, err := net.Dial("tcp", address)
		require.NoError(t, err)
		defer conn.Close()
		_, err = io.WriteString(conn, "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
		require.NoError(t, err)
	}
	status, body := fetch(t, "http://"+address+"/metrics")
	assert.Equal(t, http.StatusOK, status)
	assert.Equal(t, 5000, strings.Count(body, "\nsctpmpi_messages_sent_total{"))
}

// Connections that ask nothing make room for later ones: there is a bound, and it keeps none out.
func TestConnectionsAreBounded(t *testing.T) {
	s, address := serving(t, 2)
	var silent []net.Conn
	for range 3 * maxConnections {
		conn, err := net.Dial("tcp", address)
		require.NoError(t, err)
		defer conn.Close()
		silent = append(silent, conn)
	}
	status, _ := fetch(t, "http://"+address+"/metrics")
	assert.Equal(t, http.StatusOK, status)
	assert.LessOrEqual(t, s.places.Taken(), maxConnections)
	_ = silent[0].SetReadDeadline(time.Now().Add(5 * time.Minute))
	_, err := silent[0].Read(make([]byte, 1))
	assert.ErrorIs(t, err, io.EOF, "the oldest has been closed")
}

func TestCloseEndsConnections(t *testing.T) {
	s, address := serving(t, 2)
	conn, err := net.Dial("tcp", address)
	require.NoError(t, err)
	defer conn.Close()
	_, err = io.WriteString(conn, "GET /icon.svg HTTP/1.1\r\nHost: localhost\r\n\r\n")
	require.NoError(t, err)
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err)
	assert.Equal(t, http.StatusOK, answer.StatusCode)
	s.Close()
	_, err = io.Copy(io.Discard, conn)
	assert.NoError(t, err)
	_, err = net.Dial("tcp", address)
	assert.Error(t, err)
}

// A port alone is that of both loopback addresses, where there are two.
func TestAPortAloneIsOfTheLoopbackInterface(t *testing.T) {
	c, err := Parse("0", "")
	require.NoError(t, err)
	s := New(c)
	require.NoError(t, s.Listen())
	defer s.Close()
	for _, l := range s.listeners {
		assert.True(t, l.Addr().(*net.TCPAddr).IP.IsLoopback())
	}
	assert.Regexp(t, `^the job can be seen at http://127\.0\.0\.1:\d+/ by the users of this host; `, s.Welcome())
}

// A token of the user's is not repeated: standard error may be kept in a file. Where it is is said.
func TestATokenInAFileIsNotSaid(t *testing.T) {
	file := filepath.Join(t.TempDir(), "token")
	require.NoError(t, os.WriteFile(file, []byte("0123456789abcdef\n"), 0o600))
	c, err := Parse("127.0.0.1:0", file)
	require.NoError(t, err)
	s := New(c)
	require.NoError(t, s.Listen())
	defer s.Close()
	assert.NotContains(t, s.Welcome(), "0123456789abcdef")
	assert.Regexp(t, `^the job can be seen at http://127\.0\.0\.1:\d+/\?token=TOKEN, by those who know the TOKEN in the file `+regexp.QuoteMeta(file)+`; `, s.Welcome())
}

func TestATokenThatWasMadeUpIsSaid(t *testing.T) {
	c, err := Parse("127.0.0.1:0", "")
	require.NoError(t, err)
	c.Loopback = false
	s := New(c)
	require.NoError(t, s.Listen())
	w, _ := watching(2)
	s.Serve(func() (sight.Job, bool) { return w.look() })
	defer s.Close()
	_, rest, found := strings.Cut(s.Welcome(), "seen at ")
	require.True(t, found)
	url, _, _ := strings.Cut(rest, " ")
	status, _ := fetch(t, "http://"+s.listeners[0].Addr().String()+"/")
	assert.Equal(t, http.StatusUnauthorized, status)
	client := &http.Client{Timeout: 5 * time.Minute, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer, err := client.Get(url)
	require.NoError(t, err)
	_ = answer.Body.Close()
	assert.Equal(t, http.StatusSeeOther, answer.StatusCode)
}
