package proxy

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Shell is how to start mpirun on another host.
type Shell struct {
	// Agent is the command of the remote shell. It gets two arguments more: the host, and a command for a shell there.
	Agent []string
	// Mpirun is the file of mpirun there.
	Mpirun string
	// Strict: where there is no such file, PATH is not looked in.
	Strict bool
}

// options are those that ssh gets. It asks no questions, as no terminal is for many hosts, and notices within a minute that a host
// is gone. Of an option that is given twice ssh takes the first, so these come after the user's own.
var options = []string{"-o", "ForwardX11=no", "-o", "BatchMode=yes", "-o", "ServerAliveInterval=15", "-o", "ServerAliveCountMax=4"}

// Agent is the command of a remote shell, ssh if the user names none. A program named ssh gets options that suit it.
func Agent(words []string) []string {
	if len(words) == 0 {
		words = []string{"ssh"}
	}
	if strings.TrimSuffix(filepath.Base(words[0]), ".exe") != "ssh" {
		return words
	}
	return slices.Concat(words, options)
}

// Command is the command line that starts the proxy of a host.
func (s Shell) Command(host string) []string {
	find := fmt.Sprintf(`m=%s; `, quote(s.Mpirun))
	if s.Strict {
		find += `[ -x "$m" ] || { echo "there is no mpirun $m" >&2; exit 127; }; `
	} else {
		find += `[ -x "$m" ] || m=$(command -v mpirun) || { echo ` +
			quote("there is no mpirun at "+s.Mpirun+", and none in PATH; --prefix says where it is") + ` >&2; exit 127; }; ` +
			// PATH may lead to another MPI's, of whose complaints about --proxy the user would not make anything.
			`[ "$m" = ` + quote(s.Mpirun) + ` ] || case $("$m" --help </dev/null 2>&1) in *` + rpi.EnvTransport + `*) ;; *) ` +
			`echo "the mpirun in PATH, $m, is not that of sctpmpi; --prefix says where that is" >&2; exit 127;; esac; `
	}
	// The user's own shell there may be of any kind.
	return append(append([]string{}, s.Agent...), host, "exec /bin/sh -c "+quote(find+`exec "$m" --proxy`))
}

// quote makes one word of a text for a shell.
func quote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
