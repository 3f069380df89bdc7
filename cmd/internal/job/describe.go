package job

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/sctpmpi/sctpmpi/cmd/internal/process"
)

// Describe writes which ranks of a job would run where, and by which commands. It starts nothing.
func Describe(w io.Writer, spec Spec) {
	if len(spec.Hosts) == 0 {
		spec.Hosts = spec.allHere()
	}
	apps := spec.appNumbers()
	for _, host := range spec.Hosts {
		switch {
		case host.Name == "":
			fmt.Fprintln(w, "this host")
		case host.Local:
			fmt.Fprintf(w, "host %s: this one\n", host.Name)
		default:
			fmt.Fprintf(w, "host %s: %s\n", host.Name, strings.Join(spec.Shell.Command(host.Name), " "))
		}
		var binding process.Binding
		if spec.Bind && host.Local {
			binding, _ = process.Bind(len(host.Ranks))
		}
		for i, number := range host.Ranks {
			app := spec.Apps[apps[number]]
			fmt.Fprintf(w, "  rank %d: %s", number, strings.Join(append([]string{cmp.Or(app.Path, app.Name)}, app.Args[1:]...), " "))
			if app.Dir != "" {
				fmt.Fprintf(w, "  in %s", app.Dir)
			}
			switch {
			case binding != nil:
				fmt.Fprintf(w, "  on processors %s", process.List(binding.Of(i)))
			case spec.Bind:
				fmt.Fprint(w, "  on cores of its own")
			}
			fmt.Fprintln(w)
		}
	}
}
