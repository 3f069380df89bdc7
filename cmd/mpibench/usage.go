package main

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"
)

// usageError is a mistake in the command line.
type usageError struct{ error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

func (e usageError) Unwrap() error { return e.error }

// helpError asks for a help text.
type helpError struct{ text string }

func (helpError) Error() string { return "help was asked for" }

// parse reads the flags of a command, of which there are no other arguments. The error is a
// usageError, or a helpError with the text.
func parse(fs *pflag.FlagSet, args []string, about string) error {
	fs.SortFlags = false
	fs.Usage = func() {}
	help := fs.BoolP("help", "h", false, "show this text")
	if err := fs.Parse(args); err != nil {
		return usageError{err}
	}
	if *help {
		return helpError{fmt.Sprintf("usage: mpibench %s [flag]...\n\n%s\n%s\n%s", fs.Name(), about, fs.FlagUsages(), statuses)}
	}
	if fs.NArg() > 0 {
		return usagef("%q is one argument too many", fs.Arg(0))
	}
	return nil
}

const statuses = `Exit status: 0; 1 if something has failed, of which the report says what; 2 for a wrong
command line; 130 when interrupted.
`

// help is the text of mpibench help.
func help() string {
	var b strings.Builder
	b.WriteString("usage: mpibench COMMAND [flag]...\n\nMeasures the library, between processes of this host. Commands:\n\n")
	for _, c := range commands {
		first, _, _ := strings.Cut(c.about, "\n")
		fmt.Fprintf(&b, "  %-14s  %s\n", c.name, strings.TrimSuffix(first, "."))
	}
	fmt.Fprintf(&b, "  %-14s  %s\n", "engine", "the embedded SCTP engine beside bare UDP, TCP and pion/sctp")
	b.WriteString("\nmpibench COMMAND --help explains a command and its flags. Figures are medians of several rounds\nwith the least and the greatest value; they want cores that nothing else uses.\n\n")
	b.WriteString(statuses)
	return b.String()
}

// commandNames are all commands, for who has mistyped one.
func commandNames() string {
	var names []string
	for _, c := range commands {
		names = append(names, c.name)
	}
	return strings.Join(append(names, "engine"), ", ")
}
