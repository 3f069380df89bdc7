package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"

	"golang.org/x/term"

	"github.com/sctpmpi/sctpmpi/cmd/internal/cli"
	"github.com/sctpmpi/sctpmpi/internal/netem/lab"
)

// shell connects the terminal to a shell in a lab.
func shell(ctx context.Context, o options, stdin *os.File, stdout io.Writer) error {
	fd := int(stdin.Fd())
	if !term.IsTerminal(fd) {
		return cli.Usagef("shell needs a terminal as its input; exec does not")
	}
	cols, rows, err := term.GetSize(fd)
	if err != nil {
		return fmt.Errorf("size of the terminal: %w", err)
	}
	c := lab.Command(ctx, o.config, cmp.Or(os.Getenv("SHELL"), "/bin/sh"))
	c.Stdin, c.Stdout = stdin, stdout
	c.Terminal = &lab.Window{Rows: uint16(rows), Cols: uint16(cols)}

	// Every key is the lab's, Ctrl-C too.
	before, err := term.MakeRaw(fd)
	if err != nil {
		return fmt.Errorf("terminal: %w", err)
	}
	defer term.Restore(fd, before)
	return c.Run()
}
