package main

import (
	"fmt"
	"strings"

	"github.com/sctpmpi/sctpmpi/cmd/internal/cli"
)

// help is the text of mpibench help.
func help() cli.Help {
	var b strings.Builder
	b.WriteString("usage: mpibench COMMAND [flag]...\n\nMeasures the library between processes of this host. Commands:\n\n")
	for _, c := range commands {
		first, _, _ := strings.Cut(c.about, "\n")
		fmt.Fprintf(&b, "  %-14s  %s\n", c.name, strings.TrimSuffix(first, "."))
	}
	first, _, _ := strings.Cut(distributionAbout, "\n")
	fmt.Fprintf(&b, "  %-14s  %s\n", distributionName, strings.TrimSuffix(first, "."))
	b.WriteString(`
mpibench COMMAND --help explains a command and its flags. Figures are medians of several rounds,
with the least and the greatest value. They need cores that no other program uses.
Transports are compared over the network, though all ranks are on this host: SCTPMPI_SHM is
off unless it is set. Only peers, onesided and hpl measure shared memory too. Nor is anything encrypted or
authenticated: SCTPMPI_ENCRYPT is off unless it is set.

`)
	b.WriteString(cli.Statuses)
	return cli.Help(b.String())
}

// commandNames lists all commands.
func commandNames() string {
	var names []string
	for _, c := range commands {
		names = append(names, c.name)
	}
	return strings.Join(append(names, distributionName), ", ")
}
