package trial

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sctpmpi/sctpmpi/internal/netem"
)

// Emulation is a command that runs on the first of some hosts, host0, which are joined by one switch. Each packet between two of them
// meets the conditions once. sctpmpi's mpirun spreads its ranks over the hosts: it is told of them on its command line, unless that
// names hosts itself. For what else runs there, HostfileVariable and AgentVariable name a file with the hosts and a remote shell.
type Emulation struct {
	Hosts          int
	Conditions     netem.Conditions
	Command        []string
	Stdin          io.Reader
	Stdout, Stderr io.Writer
}

// Variables of the command's environment.
const (
	HostfileVariable = "NETLAB_HOSTFILE" // a file with the names of the hosts, one a line
	AgentVariable    = "NETLAB_AGENT"    // a program that runs its second argument, a command for a shell, on the host that the first names
)

// hostOptions are those of mpirun that say where ranks run.
var hostOptions = []string{
	"--host", "-host", "--hosts", "-hosts", "-H", "--nodelist", "--hostfile", "-hostfile", "-f", "--machinefile", "-machinefile",
}

// arguments returns the command line, in which mpirun has the hosts and the remote shell.
func arguments(command []string, hostfile, agent string) []string {
	if name := filepath.Base(command[0]); name != "mpirun" && name != "mpiexec" {
		return command
	}
	added := []string{"--launch-agent", agent}
	named := slices.ContainsFunc(command[1:], func(word string) bool {
		option, _, _ := strings.Cut(word, "=")
		return slices.Contains(hostOptions, option)
	})
	if !named {
		added = append(added, "--hostfile", hostfile)
	}
	return slices.Concat(command[:1], added, command[1:])
}

func hostName(i int) string { return fmt.Sprint("host", i) }

// hostfile is a line for each host. Without numbers of slots they share the ranks.
func hostfile(hosts int) string {
	var text strings.Builder
	for i := range hosts {
		fmt.Fprintln(&text, hostName(i))
	}
	return text.String()
}

// agent is a shell script that is a remote shell: enter are, for each host, the words that a command is run with there.
func agent(enter [][]string) string {
	var text strings.Builder
	text.WriteString("#!/bin/sh\ncase \"$1\" in\n")
	for i, words := range enter {
		fmt.Fprintf(&text, "%s) exec %s sh -c \"$2\" ;;\n", hostName(i), strings.Join(words, " "))
	}
	fmt.Fprintf(&text, "*) echo \"netlab: there is no host $1: there are host0 to %s\" >&2; exit 1 ;;\nesac\n", hostName(len(enter)-1))
	return text.String()
}
