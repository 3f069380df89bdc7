package metrics

import (
	"crypto/rand"
	"fmt"
	"net"
	"net/netip"
	"strconv"

	"github.com/sctpmpi/sctpmpi/cmd/internal/secretfile"
)

// Config is where a job is shown, and to whom. Parse makes it.
type Config struct {
	// Address is as the user has written it.
	Address string
	// Host is a name or an IP address, or empty: all addresses of this host, or with Loopback those of the loopback interface.
	Host string
	// Port may be 0, for any that is free.
	Port     int
	Loopback bool
	// TokenFile, unless empty, has the token.
	TokenFile string
}

// Parse reads an address: PORT, of the loopback interface, HOST:PORT, or :PORT, of all interfaces. tokenFile may be empty.
func Parse(address, tokenFile string) (Config, error) {
	c := Config{Address: address, TokenFile: tokenFile}
	port, err := strconv.ParseUint(address, 10, 16)
	if err == nil {
		c.Port, c.Loopback = int(port), true
		return c, nil
	}
	host, text, err := net.SplitHostPort(address)
	if err == nil {
		port, err = strconv.ParseUint(text, 10, 16)
	}
	if err != nil {
		return Config{}, fmt.Errorf("--serve-metrics %q: it must be a port, HOST:PORT, or :PORT for all interfaces", address)
	}
	ip, err := netip.ParseAddr(host)
	c.Host, c.Port, c.Loopback = host, int(port), host == "localhost" || err == nil && ip.IsLoopback()
	return c, nil
}

// hosts are what to listen at. All but the first may be missing.
func (c Config) hosts() []string {
	if c.Loopback && (c.Host == "" || c.Host == "localhost") {
		return []string{"127.0.0.1", "::1"}
	}
	return []string{c.Host}
}

// A token is printable and has no blanks, so that it fits a header. Who guesses needs a connection for each try.
const (
	leastToken = 16 // bytes
	mostToken  = 256
)

// token reads the token, or makes one up if one is needed, else it is nil.
func (c Config) token() ([]byte, error) {
	switch {
	case c.TokenFile != "":
		token, err := secretfile.Read(c.TokenFile, leastToken, mostToken)
		if err != nil {
			return nil, err
		}
		for _, b := range token {
			if b <= ' ' || b > '~' {
				return nil, fmt.Errorf("the token in %s has a blank or a character that is not ASCII", c.TokenFile)
			}
		}
		return token, nil
	case c.Loopback:
		return nil, nil
	}
	return []byte(rand.Text()), nil
}
