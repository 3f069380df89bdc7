// Command sctpbench measures the embedded SCTP engine without MPI, beside bare UDP, TCP and
// pion/sctp. See sctpbench --help and docs/performance.md.
package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/sctpmpi/sctpmpi/cmd/internal/cli"
	"github.com/sctpmpi/sctpmpi/cmd/internal/link"
	"github.com/sctpmpi/sctpmpi/cmd/internal/link/enginelink"
	"github.com/sctpmpi/sctpmpi/cmd/internal/link/tcplink"
	"github.com/sctpmpi/sctpmpi/cmd/internal/link/udplink"
	"github.com/sctpmpi/sctpmpi/cmd/sctpbench/internal/bench"
	"github.com/sctpmpi/sctpmpi/cmd/sctpbench/internal/worker"
)

const name = "sctpbench"

var program = cli.Program{Name: name, Help: name + " --help", Run: run}

// workerCommand makes the program a worker process. Only the program itself uses it.
const workerCommand = "worker"

func main() {
	serveAsWorker(os.Args[1:])
	os.Exit(program.Main(os.Args[1:]))
}

// serveAsWorker does not return if the arguments make this process a worker.
func serveAsWorker(args []string) {
	if len(args) == 1 && args[0] == workerCommand {
		worker.Main(map[string]link.Transport{
			bench.Engine: enginelink.Transport{}, bench.RawUDP: udplink.Transport{}, bench.TCP: tcplink.Transport{},
		})
	}
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	s, err := parse(args)
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", name+"-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	contenders, missing, err := find(ctx, s.only, folder)
	if err != nil {
		return err
	}
	plan := bench.Plan(contenders, missing, s.Duration)
	return plan.Report(ctx, name, name, s.Settings, stdout, stderr)
}

// find returns the contenders that can be measured here, and says why others cannot. It builds
// the worker program for pion in a folder.
func find(ctx context.Context, names []string, folder string) (found []bench.Contender, missing map[string]string, err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, nil, fmt.Errorf("finding this program: %w", err)
	}
	missing = make(map[string]string)
	for _, name := range names {
		command := []string{self, workerCommand}
		if name == bench.Pion {
			path, err := bench.BuildPion(ctx, folder)
			if ctx.Err() != nil {
				return nil, nil, context.Cause(ctx)
			}
			if err != nil {
				missing[name] = err.Error()
				continue
			}
			command = []string{path}
		}
		found = append(found, bench.Contender{Name: name, Command: command})
	}
	return found, missing, nil
}
