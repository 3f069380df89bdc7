package hosts

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzRead reads files of hosts. No host is an option of the remote shell, or has a character of a shell in it.
func FuzzRead(f *testing.F) {
	f.Add("a slots=4\nb:2 # the second\n\nuser@c\n[2001:db8::1]:3\n")
	f.Add("-oProxyCommand=x\n")
	f.Add("a;b $(c)\n")
	f.Add("fe80::1%$(c)\n[::%\"]:2\n")
	f.Add("a slots=99999999999999999999\n")
	f.Fuzz(func(t *testing.T, text string) {
		list, err := Read(strings.NewReader(text))
		if err != nil {
			return
		}
		for _, h := range list {
			require.NotEmpty(t, h.Name)
			require.False(t, strings.HasPrefix(h.Name, "-"), h.Name)
			require.False(t, strings.ContainsAny(h.Name, " \t\n;$`|&<>\\\"'(){}*?"), h.Name)
		}
	})
}
