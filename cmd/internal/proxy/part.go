// Package proxy runs the ranks of a job that are on another host than mpirun. There mpirun starts itself, as a proxy, by a
// remote shell such as ssh, and speaks with it over that shell's standard input and output: see package frame. Nothing of a
// job is in arguments or in the environment of the remote shell.
//
// A [Host] is mpirun's end, and [Serve] is the proxy.
//
// # Bounds
//
// Of each stream of a rank (what it reads, what it writes, PMI) at most 64 KiB are under way or wait to be read. Sending waits
// for that, so a reader that is slow holds up its stream and no other. Frames of PMI go before output.
package proxy

import (
	"encoding/json"
	"fmt"
)

// Part is what one host does of a job.
type Part struct {
	// Size is the number of ranks of the job, and Ranks are those of this host.
	Size  int
	Ranks []Rank
	Apps  []App
	// Env has settings for all ranks, on top of the host's own environment.
	Env []string
	// Stdin: rank 0 is here and reads what mpirun reads.
	Stdin bool
	// Together: what a rank writes to standard output comes with what it writes to standard error, in the order in which it did.
	Together bool
	// Bind: each rank runs on cores of its own.
	Bind bool
	// Trace: the ranks record what they do (rpi.EnvTrace). Profile: they write CPU profiles (rpi.EnvProfile). The proxy sends that at the
	// end.
	Trace, Profile bool
}

// Rank is one rank of a part.
type Rank struct {
	Number int
	App    int // index of its App
}

// App is a program that ranks run.
type App struct {
	// Name is what the user calls the program, and Path its file on mpirun's own host, if it is there.
	Name, Path string
	// Args are its arguments, its name first.
	Args []string
	// Env has settings on top of those of the part.
	Env []string
	// ABI, unless empty, is that of C programs which are to run on our library for it, the one of this host.
	ABI string
	// Dir is the working directory. If Strict is not set and there is no such directory, ranks run in the user's home.
	Dir    string
	Strict bool
}

// Refusal is why a proxy cannot do what it is told.
type Refusal struct {
	Status int // exit status of mpirun
	Text   string
}

func (r *Refusal) Error() string { return r.Text }

func refuse(status int, format string, args ...any) *Refusal {
	return &Refusal{status, fmt.Sprintf(format, args...)}
}

// encode is the JSON of what always has one.
func encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("proxy: %v", err))
	}
	return b
}
