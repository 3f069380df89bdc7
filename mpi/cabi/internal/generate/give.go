package main

import (
	"fmt"
	"strings"

	"github.com/sctpmpi/sctpmpi/mpi/cabi/internal/table"
)

// made are the types of results that become new handles: what passes one, or an error, to the program.
var made = map[string]struct{ kind, give string }{
	"*core.Comm":   {"comm", "%[1]s.giveComm(%[2]s, %[3]s, %[4]s)"},
	"*core.Group":  {"group", "giveGroup(%[1]s, %[2]s, %[3]s, %[4]s)"},
	"*groupObject": {"group", "giveGroupObject(%[1]s, %[2]s, %[3]s, %[4]s)"},
	"*info.Info":   {"info", "giveInfo(%[1]s, %[2]s, %[3]s, %[4]s)"},
	"*core.Type":   {"type", "giveType(%[2]s, %[3]s, %[4]s)"},
}

// giveResults calls the implementation and passes on what it returns: the results in the order of the table, and an error. Results count
// if there is none. An implementation whose one result is a C.int has done all that.
func (e *export) giveResults() error {
	call := fmt.Sprintf("%s(%s)", e.name, strings.Join(e.args, ", "))
	results := e.results
	var places []int
	for i, a := range e.f.Args {
		if a.Out && !a.In && !e.taken[i] {
			places = append(places, i)
		}
	}
	if len(results) == 1 && results[0] == "C.int" && len(places) == 0 {
		e.do("return %s", call)
		return nil
	}
	fails := len(results) > 0 && results[len(results)-1] == "error"
	if fails {
		results = results[:len(results)-1]
	}
	switch {
	case e.form != "":
		return e.giveForm(call, results)
	case len(results) == 1 && len(places) == 1 && results[0] == "*core.Request":
		return e.giveRequest(call, e.f.Args[places[0]])
	case len(results) == 1 && len(places) == 1 && made[results[0]].kind == e.f.Args[places[0]].Kind:
		e.giveMade(call, made[results[0]].give, e.f.Args[places[0]], fails)
		return nil
	case len(results) == 0 && fails:
		if len(places) > 0 {
			return fmt.Errorf("no result is for the argument %s", e.f.Args[places[0]].Name)
		}
		e.do("%s", e.fail(call))
		return nil
	}
	return e.giveValues(call, results, places, fails)
}

// giveForm ends a collective operation. Its request has a handle before it begins.
func (e *export) giveForm(call string, results []string) error {
	if len(results) != 1 || results[0] != "*core.Request" {
		return fmt.Errorf("a function with a parameter core.Form returns (*core.Request, error)")
	}
	if e.form == "core.Blocking" {
		e.do("_, err = %s", call)
		e.do("return %s.ended(collective.%s, err)", e.on, e.routine)
		return nil
	}
	e.do("h, err := reserveRequest()\n\tif err != nil {\n\t\t%s\n\t}", e.refuse("err"))
	e.do("r, err := %s", call)
	e.do("return %s.begun(collective.%s, %s, request, h, r, err)", e.on, e.routine, e.coreForm())
	return nil
}

// giveRequest ends a function that begins an operation, whose request has a handle before.
func (e *export) giveRequest(call string, to table.Arg) error {
	h, r := e.variable("h"), e.variable("r")
	e.do("%s, err := reserveRequest()\n\tif err != nil {\n\t\t%s\n\t}", h, e.fail("err"))
	e.do("%s, err := %s", r, call)
	e.do("return giveReserved(%s, %s, %s, %s, err)", e.on, to.Name, h, r)
	return nil
}

// giveMade ends a function that makes an object. If others take part in that, they hear of an error that is found here.
func (e *export) giveMade(call, give string, to table.Arg, fails bool) {
	if !fails {
		e.do("return "+give, e.on, to.Name, call, "nil")
		return
	}
	v := e.variable("made")
	e.do("%s, err := %s", v, call)
	if e.routine != "" {
		e.do("return %s.giveMade(collective.%s, %s, %s, err)", e.on, e.routine, to.Name, v)
		return
	}
	e.do("return "+give, e.on, to.Name, v, "err")
}

// giveValues ends a function whose results are values.
func (e *export) giveValues(call string, results []string, places []int, fails bool) error {
	var values, gives []string
	for _, t := range results {
		if len(places) == 0 {
			return fmt.Errorf("no argument is for the result of type %s", t)
		}
		i := places[0]
		a := e.f.Args[i]
		places = places[1:]
		v := "result"
		if len(results) > 1 {
			v = "out" + camel(a.Name)
		}
		v = e.variable(v)
		give, err := e.giveValue(i, t, v)
		if err != nil {
			return err
		}
		if a.Kind == "text" && len(places) > 0 && e.f.Args[places[0]].Name == "resultlen" {
			give = "*resultlen = " + give
			places = places[1:]
		}
		values, gives = append(values, v), append(gives, give)
	}
	if len(places) > 0 {
		return fmt.Errorf("no result is for the argument %s", e.f.Args[places[0]].Name)
	}
	switch {
	case fails:
		e.do("%s, err := %s\n\tif err != nil {\n\t\t%s\n\t}", strings.Join(values, ", "), call, e.fail("err"))
	case len(values) == 1:
		gives[0] = strings.Replace(gives[0], values[0]+")", call+")", 1)
	case len(values) > 1:
		e.do("%s := %s", strings.Join(values, ", "), call)
	default:
		e.do("%s", call)
	}
	for _, give := range gives {
		e.do("%s", give)
	}
	e.do("return 0")
	return nil
}

// giveValue is the statement that passes a value on to an argument.
func (e *export) giveValue(i int, t, v string) (string, error) {
	a := e.f.Args[i]
	_, types := raw(a)
	to := strings.TrimPrefix(types[0], "*")
	set := "*%s = %s"
	if e.tool() {
		set = "tell(%s, %s)"
	}
	switch {
	case t == "string" && a.Kind == "text":
		return fmt.Sprintf("textTo(%[1]s, room_%[1]s, %[2]s)", a.Name, v), nil
	case t == "string" && a.Kind == "chars":
		return fmt.Sprintf("tellText(%s, %s, %s)", a.Name, e.f.Args[i+1].Name, v), nil
	case t == "core.Status" && a.Kind == "status" && !a.Array:
		return fmt.Sprintf("give(%s, %s)", a.Name, v), nil
	case t == "unsafe.Pointer" && a.Kind == "pointer":
		return fmt.Sprintf("*(*unsafe.Pointer)(%s) = unsafe.Pointer(%s)", a.Name, v), nil
	case t == "uintptr" && a.Kind == "pointer":
		return fmt.Sprintf("*(*uintptr)(%s) = uintptr(%s)", a.Name, v), nil
	case t == "bool" && to == "C.int":
		return fmt.Sprintf(set, a.Name, "truth("+v+")"), nil
	case t == "int" && a.Kind == "rank":
		return fmt.Sprintf("*%s = rankFor(%s)", a.Name, v), nil
	case (t == "int" || t == "int64" || t == to) && (to == "C.int" || to == "C.int64_t" || to == "C.uintptr_t") && !a.Array:
		return fmt.Sprintf(set, a.Name, to+"("+v+")"), nil
	}
	return "", fmt.Errorf("a result of type %s cannot be passed to the argument %s", t, a.Name)
}
