// Package job runs the ranks of one job, on this host and on others, and sees to it that none outlives the job.
package job

import (
	"crypto/rand"
	"encoding/hex"
	"io"
	"os"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/internal/proxy"
	"github.com/sctpmpi/sctpmpi/cmd/internal/sight"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Spec describes a job.
type Spec struct {
	// Apps are the application contexts, at least one. Their ranks are numbered through in this order.
	Apps []App
	// Transport, unless empty, is the transport that the ranks are told to use. They know which there are.
	Transport string
	// Label puts "[rank] " before each line that a rank writes.
	Label bool
	// Verbose has the ranks explain what they do (rpi.EnvDebug).
	Verbose bool
	// Statistics has the ranks tell what they have counted (rpi.EnvStatistics), which is printed at the end.
	Statistics bool
	// StatisticsFile, unless empty, is where it is written as JSON, too.
	StatisticsFile string
	// Show, unless nil, shows the job while it runs.
	Show Show
	// Trace is the absolute path of the file in which to record what the ranks do (rpi.EnvTrace); empty: they do not.
	Trace string
	// Profile is the absolute path of the folder of CPU profiles (rpi.EnvProfile); empty: there are none.
	Profile string
	// KeepGoing: a rank that dies does not end the job. The others are told.
	KeepGoing bool
	// Timeout, unless 0, is how long the job may take.
	Timeout time.Duration
	// Deadlock is when the ranks are first asked whether they are in a deadlock; 0: they never are.
	Deadlock time.Duration
	// Answer is how long ranks may take to say what they wait for; 0: a second.
	Answer time.Duration
	// Grace is how long a rank has between being asked to end and being killed.
	Grace time.Duration
	// Patience, unless 0, is how long the words of ranks that fail wait for the same words of others, in place of openingTime
	// and foldTime.
	Patience time.Duration

	// Bind: each rank runs on cores of its own.
	Bind bool
	// DryRun: the job is to be described, not run.
	DryRun bool
	// Hosts are where the ranks run. None: all run on this one.
	Hosts []Host
	// Shell is how to start mpirun on other hosts.
	Shell proxy.Shell
	// LaunchTimeout is how long another host may take to say that it can run its ranks; 0: DefaultLaunchTimeout.
	LaunchTimeout time.Duration

	// Beat is how often this process and each proxy say that they are there: proxy.Beat, but in tests.
	Beat time.Duration

	// Notes are what the user might not expect, to be said before the job starts.
	Notes []string

	// Stdin is what rank 0 reads; the others read nothing.
	Stdin *os.File
	// Stdout and Stderr get what the ranks write, line by line; Stderr also what the launcher has to say.
	Stdout, Stderr io.Writer
	// Terminal: Stderr is a terminal, so ranks may draw there how far they are.
	Terminal bool
}

// Show shows a job while it runs: package metrics, which programs that start jobs need not link.
type Show interface {
	// Listen finds out before the job begins whether it can be shown.
	Listen() error
	// Serve begins to show it. look returns how it is now, or false when it has ended; one goroutine at a time may call it.
	Serve(look func() (sight.Job, bool))
	// Welcome says where that is.
	Welcome() string
	Close()
}

// Host is a host and the ranks that run on it, in ascending order.
type Host struct {
	Name  string
	Local bool // it is this one
	Ranks []int
}

// App is an application context: so many processes of one program.
type App struct {
	// N is the number of processes, at least 1.
	N int
	// Name is what the user calls the program, and Path its file, which does not depend on the working directory. It may be
	// empty if no rank of the program runs on this host.
	Name, Path string
	// Args are the arguments of the program, its name first.
	Args []string
	// Env has VAR=VALUE settings on top of the environment of the host.
	Env []string
	// ABI, unless empty, is that of C programs which are to run on our library for it. Libraries are settings by which those of this
	// host do; other hosts look for theirs themselves.
	ABI       string
	Libraries []string
	// Dir is the working directory; empty stands for the launcher's own.
	Dir string
}

func (s *Spec) size() int {
	n := 0
	for _, app := range s.Apps {
		n += app.N
	}
	return n
}

// appNumbers are the application contexts by rank.
func (s *Spec) appNumbers() []int {
	var numbers []int
	for i, app := range s.Apps {
		for range app.N {
			numbers = append(numbers, i)
		}
	}
	return numbers
}

// allHere are the hosts of a job that names none.
func (s *Spec) allHere() []Host {
	here := Host{Local: true}
	for number := range s.size() {
		here.Ranks = append(here.Ranks, number)
	}
	return []Host{here}
}

// hostNumbers are the hosts by rank.
func (s *Spec) hostNumbers() []int {
	numbers := make([]int, s.size())
	for i, host := range s.Hosts {
		for _, number := range host.Ranks {
			numbers[number] = i
		}
	}
	return numbers
}

// newToken makes up the secret by which the ranks of a job know each other, in hexadecimal. They get it over their connections
// to mpirun: the environment of a rank is that of all programs that it starts.
func newToken() string {
	var token [32]byte
	_, _ = rand.Read(token[:]) // never fails
	return hex.EncodeToString(token[:])
}

// settings are the variables that mpirun sets for all ranks.
func (s *Spec) settings() []string {
	var env []string
	if s.Terminal {
		env = append(env, rpi.EnvTerminal+"=1")
	}
	if s.Verbose {
		env = append(env, rpi.EnvDebug+"=1")
	}
	if s.Statistics {
		env = append(env, rpi.EnvStatistics+"=1")
	}
	if s.Trace != "" {
		env = append(env, rpi.EnvTrace+"="+s.Trace)
	}
	if s.Profile != "" {
		env = append(env, rpi.EnvProfile+"="+s.Profile)
	}
	if s.Transport != "" {
		env = append(env, rpi.EnvTransport+"="+s.Transport)
	}
	return env
}
