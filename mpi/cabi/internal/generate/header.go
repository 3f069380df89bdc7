package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/sctpmpi/sctpmpi/mpi/cabi/internal/table"
)

// header is mpi.h of the ABI: the hand-written text in shim/, with the constants and the functions in the places that it names.
func (a *abi) header(functions []table.Function) (string, error) {
	text, err := os.ReadFile("shim/" + a.name + "_mpi.h.in")
	if err != nil {
		return "", err
	}
	return strings.NewReplacer("@OBJECTS@\n", openMPIObjects(), "@CONSTANTS@\n", a.constants(), "@FUNCTIONS@\n", a.prototypes(functions)).Replace(string(text)), nil
}

// constants are the macros of all constants. Buffer addresses are pointers.
func (a *abi) constants() string {
	var b strings.Builder
	kind := ""
	for _, c := range table.Constants() {
		v := a.value(c)
		if v == nil && (a != openMPI || c.Object == "") {
			continue
		}
		if c.Kind != kind {
			kind = c.Kind
			b.WriteByte('\n')
		}
		name := c.Name
		if !strings.HasPrefix(name, "MPIX_") {
			name = "MPI_" + name
		}
		text := fmt.Sprintf("((%s)(void *)%s)", table.Handles[kind], c.Object)
		if v != nil {
			text = literal(kind, *v)
		}
		fmt.Fprintf(&b, "#define %-31s %s\n", name, text)
	}
	return b.String()
}

// literal is a number as a C expression of the type that constants of the kind have.
func literal(kind string, v int64) string {
	switch {
	case table.Handles[kind] != "":
		return fmt.Sprintf("((%s)%#x)", table.Handles[kind], uint32(v))
	case kind == "buffer":
		return fmt.Sprintf("((void *)%d)", v)
	case kind == "displacement":
		return fmt.Sprintf("((MPI_Offset)%d)", v)
	case kind == "safety" || kind == "sourceorder":
		return fmt.Sprintf("((%s)%d)", table.Wide[kind][0], v)
	case kind == "keyval" && v > 1000:
		return fmt.Sprintf("%#x", v)
	case v < 0:
		return fmt.Sprintf("(%d)", v)
	}
	return fmt.Sprint(v)
}

// prototypes declare all functions by both names.
func (a *abi) prototypes(functions []table.Function) string {
	var b strings.Builder
	for _, prefix := range []string{"", "P"} {
		chapter := ""
		for _, f := range functions {
			if !a.has(f) {
				continue
			}
			if f.Chapter != chapter && prefix == "" {
				chapter = f.Chapter
				fmt.Fprintf(&b, "\n/* %s */\n", chapter)
			}
			fmt.Fprintf(&b, "%s;\n", head(f, prefix))
		}
		b.WriteByte('\n')
	}
	return b.String()
}
