package main

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/sctpmpi/sctpmpi/mpi/cabi/internal/table"
)

// pass adds an argument to the call of the export, and what must be done for it before and after.
func (c *call) pass(arg table.Arg) {
	name := arg.Name
	add := func(format string, args ...any) { c.args = append(c.args, fmt.Sprintf(format, args...)) }
	switch kind := arg.Kind; {
	case kind == "in" || kind == "out":
		add("buffer_in(%s)", name)
	case kind == "weights":
		add("weights_in(%s)", name)
	case kind == "text":
		add("%s, %s", name, room(arg.Length))
	case table.Callbacks[kind] != "":
		of := kind[3:]
		if c.f.Large && (of == "op" || of == "conversion") {
			of += "_c"
		}
		add("CALL(invoke_%s, %s), FUNCTION(%s)", of, name, name)
	case kind == "range":
		add("(int *)%s", name)
	case kind == "pvar" && !arg.Out: // it may be MPI_T_PVAR_ALL_HANDLES
		add("pvar_in(%s)", name)
	case exportTypes[kind] != "" && kind != "status":
		add("(%s)%s", strings.TrimSpace(exportTypes[kind]), name)
	case kind == "status":
		c.passStatus(arg)
	case c.abi.converted(kind) && arg.Array:
		c.passArray(arg, kind)
	case c.abi.converted(kind):
		c.passConverted(arg, ctype(arg))
	case arg.Array && !arg.Out && table.Wide[kind] != [2]string{}:
		add("(void *)%[1]s, (int)sizeof %[1]s[0]", name)
	case isInt64(arg) && arg.Out && arg.CType(c.f.Large) == "int *":
		c.passNarrow(arg)
	case isInt64(arg) && arg.Out:
		add("(int64_t *)%s", name)
	case isHandle(kind) && (arg.Out || arg.Array):
		add("(uintptr_t *)%s", name)
	case isHandle(kind):
		add("(uintptr_t)%s", name)
	case arg.Array && !arg.Out, arg.Out && kind == "sourceorder":
		add("(int *)%s", name)
	default:
		add("%s", name)
	}
}

// passNarrow passes a count that is an int for the program.
func (c *call) passNarrow(arg table.Arg) {
	in := "0"
	if arg.In {
		in = fmt.Sprintf("%[1]s ? *%[1]s : 0", arg.Name)
	}
	c.do(&c.before, "int64_t %[1]s_ = %[2]s;", arg.Name, in)
	c.args = append(c.args, fmt.Sprintf("%[1]s ? &%[1]s_ : NULL", arg.Name))
	c.do(&c.after, "if (%[1]s && !code) *%[1]s = narrow(%[1]s_);", arg.Name)
}

// passConverted passes a value, or a pointer to a copy of it. A value that goes in and out is converted back after an error too,
// as a request may be freed then. A handle that the export has not written, as MPI_Improbe that finds no message, stays 0.
func (c *call) passConverted(arg table.Arg, t string) {
	if !arg.Out {
		c.args = append(c.args, fmt.Sprintf("%s_in(%s)", arg.Kind, arg.Name))
		return
	}
	in, when := "0", " && !code"
	if arg.In {
		in, when = fmt.Sprintf("%[1]s ? %[2]s_in(*%[1]s) : 0", arg.Name, arg.Kind), ""
	}
	if isHandle(arg.Kind) && arg.Kind != "request" && c.f.Constructs() {
		when = "" // after an error it is null
	}
	c.do(&c.before, "%s %s_ = %s;", t, arg.Name, in)
	c.args = append(c.args, fmt.Sprintf("%[1]s ? &%[1]s_ : NULL", arg.Name))
	if isHandle(arg.Kind) && !arg.In {
		when += fmt.Sprintf(" && %s_", arg.Name)
	}
	c.do(&c.after, "if (%[1]s%[2]s) *%[1]s = %[3]s_out(%[1]s_);", arg.Name, when, arg.Kind)
	if arg.Kind == "keyval" && !arg.In {
		c.do(&c.after, "if (!code) keyval_is_new(%s_);", arg.Name)
	}
}

// passArray passes a converted copy of an array. The export may write fewer elements than there are: the others keep their values.
func (c *call) passArray(arg table.Arg, kind string) {
	n, name := length(c.f, arg), arg.Name
	c.do(&c.before, "ROOM(%s, %s, %s);", ctype(arg), name, n)
	written := ""
	if isHandle(kind) && arg.Out && !arg.In {
		c.do(&c.before, "for (int64_t i = 0; %[1]s_ && i < %[1]s_n; i++) %[1]s_[i] = 0;", name)
		written = fmt.Sprintf("if (%s_[i]) ", name)
	} else {
		c.do(&c.before, "for (int64_t i = 0; %[1]s_ && i < %[1]s_n; i++) %[1]s_[i] = %[2]s_in(%[1]s[i]);", name, kind)
	}
	c.args = append(c.args, name+"_")
	if arg.Out {
		when := " && !code"
		if arg.In {
			when = ""
		}
		c.do(&c.after, "for (int64_t i = 0; %[1]s_%[3]s && i < %[1]s_n; i++) %[4]s%[1]s[i] = %[2]s_out(%[1]s_[i]);", name, kind, when, written)
	}
	c.do(&c.after, "UNROOM(%s);", name)
}

// passStatus passes a status, or many.
func (c *call) passStatus(arg table.Arg) {
	name := arg.Name
	switch {
	case !c.abi.converts:
		c.args = append(c.args, fmt.Sprintf("(sctpmpi_status *)%s", name))
	case arg.Array:
		used := name + "_n"
		if arg.Used != "" {
			used = fmt.Sprintf("(*%[1]s <= %[2]s_n ? *%[1]s : 0)", arg.Used, name) // after an error it may be anything
		}
		c.do(&c.before, "STATUSES(%s, %s);", name, length(c.f, arg))
		c.args = append(c.args, name+"_")
		c.do(&c.after, "for (int64_t i = 0; %[1]s_ && i < %[2]s; i++) status_out(&%[1]s[i], &%[1]s_[i]);", name, used)
		c.do(&c.after, "UNROOM(%s);", name)
	default:
		c.do(&c.before, "sctpmpi_status %[1]s_ = %[2]s;", name, map[bool]string{true: "NO_STATUS", false: "status_in(" + name + ")"}[arg.Out && !arg.In])
		c.args = append(c.args, fmt.Sprintf("IGNORED(%[1]s) ? NULL : &%[1]s_", name))
		if arg.Out {
			c.do(&c.after, "if (!IGNORED(%[1]s)) status_out(%[1]s, &%[1]s_);", name)
		}
	}
}

// converted is whether a kind has other values in this ABI.
func (a *abi) converted(kind string) bool {
	return a.converts && (table.Handles[kind] != "" || a.differs(kind) || kind == "code")
}

// ctype is the type of a canonical value.
func ctype(arg table.Arg) string {
	switch {
	case isHandle(arg.Kind):
		return "uintptr_t"
	case isInt64(arg):
		return "int64_t"
	}
	return "int"
}

func isHandle(kind string) bool { return table.Handles[kind] != "" || table.ToolHandles[kind] != "" }

func isInt64(arg table.Arg) bool {
	return table.Wide[arg.Kind] != [2]string{} && arg.Kind != "safety" && arg.Kind != "sourceorder"
}

var constantName = regexp.MustCompile(`^[A-Z][A-Z_]+$`)

// room is how many bytes a text may have.
func room(length string) string {
	if constantName.MatchString(length) {
		return "MPI_" + length
	}
	return "(int64_t)" + length
}

// length is how many elements an array has.
func length(f table.Function, arg table.Arg) string {
	switch arg.Length {
	case "peers":
		if arg.Name == "sendtypes" {
			return "sendbuf == MPI_IN_PLACE ? 0 : peers(comm_in(comm))"
		}
		return "peers(comm_in(comm))"
	case "sources", "destinations":
		return arg.Length + "(comm_in(comm))"
	}
	for _, other := range f.Args {
		if other.Name == arg.Length && other.Out {
			return fmt.Sprintf("(%[1]s ? *%[1]s : 0)", arg.Length)
		}
	}
	return arg.Length
}
