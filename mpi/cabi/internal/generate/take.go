package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sctpmpi/sctpmpi/mpi/cabi/internal/table"
)

// object is how a value becomes what it stands for, if it is right.
type object struct{ as, kind, find, variable string }

// objects are the types that parameters of implementations have for handles, and for other values that may be wrong.
var objects = []object{
	{"*comm", "comm", "commOf", "c"},
	{"*win", "win", "winOf", "w"},
	{"*fileObject", "file", "fileOf", "f"},
	{"*session", "session", "sessionOf", "s"},
	{"owner", "comm", "commOf", "c"},
	{"owner", "win", "winOf", "w"},
	{"owner", "file", "handlingFile", "f"},
	{"owner", "session", "sessionOf", "s"},
	{"*core.Request", "request", "requestOf", "r"},
	{"*groupObject", "group", "groupOf", "g"},
	{"*core.Type", "type", "typeOf", "t"},
	{"*datatypeObject", "type", "datatypeOf", "t"},
	{"*info.Info", "info", "infoOf", "hints"},
	{"*givenInfo", "info", "someInfo", "i"},
	{"infoKey", "string", "keyOf", "k"},
	{"*commKeyval", "keyval", "commKeyvalOf", "k"},
	{"*typeKeyval", "keyval", "typeKeyvalOf", "k"},
	{"*winKeyval", "keyval", "winKeyvalOf", "k"},
	{"external32", "string", "external", "as"},
	{"assertions", "assertion", "assertionsOf", "asserts"},
	{"*control", "int", "controlAt", "c"},
	{"*control", "cvar", "controlOf", "c"},
	{"*counter", "int", "counterAt", "c"},
	{"*enumeration", "tenum", "enumOf", "e"},
	{"*toolSession", "tsession", "toolSessionOf", "s"},
}

// objectOf is how a value of a kind becomes what a parameter has; there may be no such way.
func objectOf(t, kind string) (o object, ok bool) {
	i := slices.IndexFunc(objects, func(o object) bool { return o.as == t && o.kind == kind })
	if i < 0 {
		return o, false
	}
	return objects[i], true
}

// number is how a value becomes one of Go's that is never wrong.
type number struct {
	kinds string // empty: all that C has as a number
	as    string
}

// numbers are the types that parameters have for values. The first entry for the kind counts.
var numbers = map[string][]number{
	"int":      {{"rank", "rankOf(%s)"}, {"tag", "tagOf(%s)"}, {"", "int(%s)"}},
	"int64":    {{"", "int64(%s)"}},
	"bool":     {{"int", "%s != 0"}},
	"string":   {{"string", "C.GoString(%s)"}},
	"function": {{"fn", "function{%s, %s}"}},
	"array":    {{"count displ aint aintcount", "array{%s, %s}"}},
}

// lists are the types that parameters have for arrays whose length another argument says.
var lists = map[string]string{
	"[]int":         "intsAt(%s, %s)",
	"[]bool":        "truthsAt(%s, %s)",
	"[]group.Range": "rangesAt(%s, %s)",
	"[]int64":       "countsAt(%s, %s, int64(%s))",
	"[]*core.Type":  "typesAt(%s, %s)",
	"*requestSet":   "requestsAt(%s, %s)",
}

// composite is a type that parameters have for several arguments at once: one of some kinds, and for each further entry the next one
// of its kinds, which is an array where the entry ends with [].
type composite struct {
	kinds []string
	as    string // of all that
	fails bool
}

var composites = map[string][]composite{
	"core.Buffer": {
		{[]string{"in out", "count", "type"}, "bufferOf(%s, %s, %s)", true},
		{[]string{"count", "type"}, "bufferOf(nil, %s, %s)", true}, // of a target's memory only the layout counts
	},
	// What follows is converted by the implementation, as which ranks it counts for depends on the operation.
	"memory": {{[]string{"in out", "count", "type"}, "memory{%s, %s, %s}", false}},
	"parts":  {{[]string{"in out", "count[]", "displ[]", "type"}, "parts{%s, %s, %s, %s}", false}},
	"pieces": {{[]string{"in out", "count[]", "displ aint[]", "type[]"}, "pieces{%s, %s, %s, %s}", false}},
	// Where one-sided operations reach to.
	"window.Place": {{[]string{"rank", "aint"}, "window.Place{Rank: rankOf(%s), Disp: int(%s)}", false}},
}

// takeArguments converts what the implementation takes: first the object that the function is on, then all in the order of the table.
func (e *export) takeArguments() error {
	params := e.params
	if i := e.owner(); i >= 0 && len(params) > 0 {
		if o, ok := objectOf(params[0], e.f.Args[i].Kind); ok {
			e.takeOwner(i, o)
			params = params[1:]
		}
	}
	for len(params) > 0 && e.named[params[0]] != "" {
		e.args = append(e.args, e.named[params[0]])
		params = params[1:]
	}
	if i := slices.IndexFunc(e.f.Args, func(a table.Arg) bool { return a.Out && a.Kind == "comm" }); i >= 0 && e.f.As != "" {
		// The handle of what is made is null after an error.
		e.do("if err := placed(%s, commNull, nil); err != nil {\n\t\t%s\n\t}", e.f.Args[i].Name, e.refuse("err"))
	}
	for i, a := range e.f.Args {
		for len(params) > 0 {
			n, ok := e.take(i, params)
			if !ok {
				break
			}
			params = params[n:]
		}
		if !e.taken[i] && !e.passedOver(i) {
			return fmt.Errorf("no parameter takes the argument %s", a.Name)
		}
	}
	if len(params) > 0 {
		return fmt.Errorf("no argument is for the parameters of types %s", strings.Join(params, ", "))
	}
	return nil
}

// owner is the argument that the function is on, whose error handler counts, -1 if there is none.
func (e *export) owner() int {
	for _, kinds := range [][]string{{"comm", "win", "file", "session"}, {"request"}} {
		if i := slices.IndexFunc(e.f.Args, func(a table.Arg) bool { return slices.Contains(kinds, a.Kind) && !a.Array && (!a.Out || a.In) }); i >= 0 {
			return i
		}
	}
	return -1
}

// takeOwner finds the object that the function is on. If there is none, no object's error handler counts, but for files: those have one
// that is for errors without a file.
func (e *export) takeOwner(i int, o object) {
	a := e.f.Args[i]
	if o.kind == "file" {
		e.on = "noFile"
	}
	v := e.variable(o.variable)
	e.do("%s, err := %s(%s)\n\tif err != nil {\n\t\t%s\n\t}", v, o.find, handle(a), e.fail("err"))
	if e.on = v; o.kind == "request" {
		e.on, e.request = "ownerOf("+v+")", v
	}
	e.taken[i] = true
	e.args = append(e.args, v)
}

// handle is the value of an argument.
func handle(a table.Arg) string {
	if a.Pointer() {
		return "*" + a.Name
	}
	return a.Name
}

// find sets a variable to what a call returns that may fail.
func (e *export) find(variable, call string) string {
	v := e.variable(variable)
	e.do("%s, err := %s\n\tif err != nil {\n\t\t%s\n\t}", v, call, e.refuse("err"))
	return v
}

// take converts an argument for the next parameters. It returns how many of them it is for.
func (e *export) take(i int, params []string) (n int, ok bool) {
	a, t := e.f.Args[i], params[0]
	names, types := raw(a)
	if len(types) <= len(params) && slices.Equal(types, params[:len(types)]) && !e.passed[i] && (!e.taken[i] || a.In) {
		e.taken[i], e.passed[i] = true, true
		e.args = append(e.args, names...)
		return len(types), true
	}
	if e.taken[i] || a.Out && !a.In && a.Kind != "out" {
		return 0, false
	}
	for _, c := range composites[t] {
		if e.takeComposite(i, c) {
			return 1, true
		}
	}
	if o, ok := objectOf(t, a.Kind); ok && !a.Array {
		e.taken[i] = true
		e.args = append(e.args, e.find(o.variable, o.find+"("+handle(a)+")"))
		return 1, true
	}
	if as := lists[t]; as != "" && a.Array && a.Length != "" {
		e.taken[i] = true
		list := e.find("list", fmt.Sprintf(as, anys(append(names, a.Length))...))
		if t == "*requestSet" {
			e.do("defer %s.release()", list)
		}
		e.args = append(e.args, list)
		return 1, true
	}
	for _, c := range numbers[t] {
		if c.kinds == "" && (types[0] == "C.int" || types[0] == "C.int64_t") && !e.lengthOfList(a, params) ||
			c.kinds != "" && slices.Contains(strings.Fields(c.kinds), strings.Split(a.Kind, ".")[0]) && a.Array == (t == "array") {
			e.taken[i] = true
			e.args = append(e.args, fmt.Sprintf(c.as, anys(names)...))
			return 1, true
		}
	}
	return 0, false
}

func anys(names []string) (all []any) {
	for _, n := range names {
		all = append(all, n)
	}
	return all
}

// takeComposite converts an argument and those of the kinds that follow.
func (e *export) takeComposite(first int, c composite) bool {
	var places []int
	at := first
	for _, k := range c.kinds {
		kinds, array := strings.CutSuffix(k, "[]")
		fits := func(i int) bool {
			a := e.f.Args[i]
			return !e.taken[i] && a.Array == array && slices.Contains(strings.Fields(kinds), a.Kind)
		}
		for ; at < len(e.f.Args) && !fits(at); at++ {
			if len(places) == 0 {
				return false
			}
		}
		if at == len(e.f.Args) {
			return false
		}
		places = append(places, at)
		at++
	}
	var values []string
	for _, i := range places {
		names, _ := raw(e.f.Args[i])
		if len(names) > 1 {
			names = []string{"array{" + strings.Join(names, ", ") + "}"}
		}
		values = append(values, names...)
		e.taken[i] = true
	}
	as := fmt.Sprintf(c.as, anys(values)...)
	if c.fails {
		as = e.find("b", as)
	}
	e.args = append(e.args, as)
	return true
}

// lengthOfList is whether an argument is the length of an array for which one of the next parameters is a slice: that has it.
func (e *export) lengthOfList(a table.Arg, params []string) bool {
	return slices.ContainsFunc(e.f.Args, func(other table.Arg) bool { return other.Array && (!other.Out || other.In) && other.Length == a.Name }) &&
		slices.ContainsFunc(params, func(t string) bool { return lists[t] != "" })
}

// passedOver is whether an argument needs no parameter: a result, the length of a slice or of a text that is one, and the hints of a
// persistent collective operation.
func (e *export) passedOver(i int) bool {
	a := e.f.Args[i]
	return a.Out && !a.In || e.lengthOfList(a, e.params) || i > 0 && e.f.Args[i-1].Kind == "chars" && !e.taken[i-1] ||
		e.form == "core.Persistent" && a.Kind == "info"
}
