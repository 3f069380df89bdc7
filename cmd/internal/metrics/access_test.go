package metrics

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const token = "a-token-of-this-test"

// guarded is a job that those see who know the token, or if it is empty those who come by the loopback interface.
func guarded(token string) http.Handler {
	w, _ := watching(2)
	var secret []byte
	if token != "" {
		secret = []byte(token)
	}
	a := newAccess(secret, "9100")
	return a.guard(newMux(w))
}

func TestAStrangerWithoutTheTokenSeesNothing(t *testing.T) {
	h := guarded(token)
	for _, path := range []string{"/", "/metrics", "/sample.json", "/page.js", "/metrics?token=" + token, "/?token=", "/?token=" + token + "x", "/nothing"} {
		answer := get(h, path)
		assert.Equal(t, http.StatusUnauthorized, answer.Code, path)
		assert.Equal(t, `Bearer realm="sctpmpi"`, answer.Header().Get("WWW-Authenticate"))
		assert.Equal(t, "close", answer.Header().Get("Connection"))
		assert.Empty(t, answer.Result().Cookies())
	}
	for _, wrong := range []string{"Bearer", "Bearer ", "Bearer " + token[1:], "Basic " + token, token} {
		assert.Equal(t, http.StatusUnauthorized, get(h, "/metrics", "Authorization", wrong).Code, wrong)
	}
	assert.Equal(t, http.StatusUnauthorized, get(h, "/", "Cookie", "sctpmpi-9100="+token).Code)
	assert.Equal(t, http.StatusUnauthorized, get(h, "/", "Cookie", "sctpmpi-9100=").Code)
}

func TestPrometheusGetsInByABearerToken(t *testing.T) {
	answer := get(guarded(token), "/metrics", "Authorization", "Bearer "+token, "Host", "10.1.2.3:9100")
	assert.Equal(t, http.StatusOK, answer.Code)
	assert.Contains(t, answer.Body.String(), "sctpmpi_messages_sent_total")
}

// A browser gives the token once. Then it has a cookie, which is not the token, and the address is without it.
func TestABrowserGetsACookieForTheToken(t *testing.T) {
	h := guarded(token)
	answer := get(h, "/?token="+token)
	require.Equal(t, http.StatusSeeOther, answer.Code)
	assert.Equal(t, "/", answer.Header().Get("Location"))
	cookies := answer.Result().Cookies()
	require.Len(t, cookies, 1)
	assert.True(t, cookies[0].HttpOnly)
	assert.Equal(t, http.SameSiteLaxMode, cookies[0].SameSite)
	assert.NotContains(t, cookies[0].Value, token)
	for _, path := range []string{"/", "/sample.json", "/page.css"} {
		assert.Equal(t, http.StatusOK, get(h, path, "Cookie", cookies[0].Name+"="+cookies[0].Value).Code)
	}
}

// Another site may make its name stand for 127.0.0.1, so that its pages in a browser of this host could read what is there.
func TestOtherNamesOfTheLoopbackInterfaceAreRefused(t *testing.T) {
	h := guarded("")
	for _, host := range []string{"evil.example", "evil.example:9100", "localhost.evil.example", "127.0.0.1.evil.example:9100", "10.1.2.3:9100", "0.0.0.0:9100", "[::]:9100", "[2001:db8::1]", ""} {
		assert.Equal(t, http.StatusForbidden, get(h, "/metrics", "Host", host).Code, host)
	}
	for _, host := range []string{"localhost", "localhost:9100", "LOCALHOST:1", "127.0.0.1:9100", "127.9.9.9", "[::1]:9100", "[::1]"} {
		assert.Equal(t, http.StatusOK, get(h, "/metrics", "Host", host).Code, host)
	}
}

func TestAJobCanOnlyBeLookedAt(t *testing.T) {
	for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodDelete, http.MethodOptions, http.MethodTrace, "SING"} {
		r := httptest.NewRequest(method, "/metrics", nil)
		r.Host = "localhost"
		w := httptest.NewRecorder()
		guarded("").ServeHTTP(w, r)
		assert.Equal(t, http.StatusMethodNotAllowed, w.Code, method)
		assert.Equal(t, "GET, HEAD", w.Header().Get("Allow"))
	}
}

// The page runs nothing but its own files, and no other page sees it.
func TestAnswersHaveSecurityHeaders(t *testing.T) {
	for _, answer := range []*httptest.ResponseRecorder{get(guarded(""), "/"), get(guarded(""), "/sample.json"), get(guarded(token), "/")} {
		policy := answer.Header().Get("Content-Security-Policy")
		assert.True(t, strings.HasPrefix(policy, "default-src 'none'; script-src 'self';"))
		assert.NotContains(t, policy, "unsafe")
		assert.Equal(t, "nosniff", answer.Header().Get("X-Content-Type-Options"))
		assert.Equal(t, "no-store", answer.Header().Get("Cache-Control"))
		assert.Equal(t, "same-origin", answer.Header().Get("Cross-Origin-Resource-Policy"))
		assert.Empty(t, answer.Header().Get("Access-Control-Allow-Origin"))
	}
	html := get(guarded(""), "/").Body.String()
	assert.NotRegexp(t, `<script>|<style>| style=| on[a-z]+=|https?://`, html)
}
