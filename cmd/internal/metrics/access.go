package metrics

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// access decides who may look.
type access struct {
	token []byte // nil: who reaches the loopback interface
	// cookie is the name of what browsers get for the token, and session its value. Browsers send it to all ports of the host, so it is not
	// the token itself.
	cookie, session string
}

func newAccess(token []byte, port string) access {
	return access{token: token, cookie: "sctpmpi-" + port, session: rand.Text()}
}

// headers are those of all answers: the page loads nothing but its own files, no other page can embed or read it, and nothing is kept.
var headers = map[string]string{
	"Content-Security-Policy":      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
	"X-Content-Type-Options":       "nosniff",
	"X-Frame-Options":              "DENY",
	"Referrer-Policy":              "no-referrer",
	"Cross-Origin-Resource-Policy": "same-origin",
	"Cross-Origin-Opener-Policy":   "same-origin",
	"Cache-Control":                "no-store",
}

// guard lets requests through to next that may look.
func (a *access) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for name, value := range headers {
			w.Header().Set(name, value)
		}
		switch {
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			w.Header().Set("Allow", "GET, HEAD")
			refuse(w, http.StatusMethodNotAllowed, "a job can be looked at, and nothing else")
		case a.token == nil && !loopbackName(r.Host):
			refuse(w, http.StatusForbidden, "here the job is shown at localhost and 127.0.0.1 only, not under other names of this host")
		case a.token == nil || a.knows(r):
			next.ServeHTTP(w, r)
		case r.URL.Path == "/" && a.is(r.URL.Query().Get("token")):
			http.SetCookie(w, &http.Cookie{Name: a.cookie, Value: a.session, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode})
			http.Redirect(w, r, "/", http.StatusSeeOther) // so that the token is neither on the screen nor in the history
		default:
			w.Header().Set("WWW-Authenticate", `Bearer realm="sctpmpi"`)
			refuse(w, http.StatusUnauthorized, "the token is missing or wrong: mpirun has said it, or where it is, when the job began; /?token=TOKEN shows the page")
		}
	})
}

// refuse answers with an error, and hangs up.
func refuse(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Connection", "close")
	http.Error(w, text, status)
}

// knows reports whether a request comes from one who knows the token.
func (a *access) knows(r *http.Request) bool {
	if scheme, token, found := strings.Cut(r.Header.Get("Authorization"), " "); found && strings.EqualFold(scheme, "Bearer") && a.is(token) {
		return true
	}
	cookie, err := r.Cookie(a.cookie)
	return err == nil && equal(cookie.Value, a.session)
}

func (a *access) is(token string) bool { return equal(token, string(a.token)) }

// equal takes a time that does not tell how much of a guess is right, nor how long the secret is.
func equal(guess, secret string) bool {
	g, s := sha256.Sum256([]byte(guess)), sha256.Sum256([]byte(secret))
	return subtle.ConstantTimeCompare(g[:], s[:]) == 1
}

// loopbackName reports whether a Host header names the loopback interface. A page of another site has that site's name there, even when it
// has made the name stand for 127.0.0.1 (DNS rebinding). The port is that of a tunnel, maybe.
func loopbackName(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	ip, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return strings.EqualFold(host, "localhost") || err == nil && ip.IsLoopback()
}
