package pmi

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
)

// Open connects to the launcher that the environment names. A process that no launcher has started gets
// [ErrNoLauncher]. One whose launcher offers no PMI-1 gets an error that says so: it must not run as a world of one
// beside its siblings. A process can open its launcher once.
//
// The forms, tried in this order:
//
//   - PMI_FD, an inherited stream socket, with PMI_RANK and PMI_SIZE: mpirun, Hydra, srun --mpi=pmi2;
//   - PMI_PORT=host:port with PMI_ID: Hydra's -pmi-port, mpirun on Windows.
func Open(ctx context.Context) (*Client, error) {
	return open(ctx, os.LookupEnv)
}

// Named reports whether the environment names a launcher by one of the forms of PMI-1, which [Open] then takes.
func Named() bool {
	_, inherited := os.LookupEnv("PMI_FD")
	_, port := os.LookupEnv("PMI_PORT")
	return inherited || port
}

func open(ctx context.Context, lookup func(string) (string, bool)) (*Client, error) {
	if fd, ok := lookup("PMI_FD"); ok {
		return openInherited(ctx, fd, lookup)
	}
	if address, ok := lookup("PMI_PORT"); ok {
		return openPort(ctx, address, lookup)
	}
	for _, o := range others {
		if err := o.check(lookup); err != nil {
			return nil, err
		}
	}
	if n, ok := lookup("SLURM_STEP_NUM_TASKS"); ok && n != "1" {
		return nil, fmt.Errorf("pmi: srun has started %s tasks without PMI; use srun --mpi=pmi2 "+
			"(unset SLURM_STEP_NUM_TASKS to run each of them alone)", n)
	}
	return nil, ErrNoLauncher
}

// other is a launcher without PMI-1, by what it sets for its ranks.
type other struct {
	rank, size string // variables; size is empty if the launcher does not say it
	advice     string
}

const (
	instead = "use mpirun of this library, Hydra's mpiexec, or srun --mpi=pmi2"
	pmix    = "it offers PMIx, which C programs over this library speak and Go programs do not; " + instead
)

// others are the launchers that are known. PALS sets PMI_RANK too, and PMIx-based ones may.
var others = []other{
	{"PALS_RANKID", "", "PALS has no PMI that this library speaks; " + instead},
	{"FLUX_TASK_RANK", "FLUX_JOB_SIZE", "Flux offers PMI by flux run -o pmi=simple, its default; or " + instead},
	{"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE", "MVAPICH's mpirun_rsh is not supported; " + instead},
	{"MVP_COMM_WORLD_RANK", "MVP_COMM_WORLD_SIZE", "MVAPICH's launcher is not supported; " + instead},
	{"OMPI_COMM_WORLD_RANK", "", pmix},
	{"PMIX_RANK", "", pmix},
	{"PMI_RANK", "", "it passes neither PMI_FD nor PMI_PORT"},
}

// check is the error of a process that the launcher has started, unless it is the only one.
func (o other) check(lookup func(string) (string, bool)) error {
	value, ok := lookup(o.rank)
	if size, _ := lookup(o.size); !ok || size == "1" {
		return nil
	}
	return fmt.Errorf("pmi: a launcher has set %s=%s, but %s (unset %[1]s to run alone)", o.rank, value, o.advice)
}

func openInherited(ctx context.Context, fdText string, lookup func(string) (string, bool)) (*Client, error) {
	fd, err := strconv.ParseUint(fdText, 10, 31)
	if err != nil {
		return nil, fmt.Errorf("pmi: PMI_FD=%s is not a file descriptor", fdText)
	}
	rank, err := number(lookup, "PMI_RANK")
	if err != nil {
		return nil, err
	}
	size, err := number(lookup, "PMI_SIZE")
	if err != nil {
		return nil, err
	}
	if rank >= size {
		return nil, fmt.Errorf("pmi: PMI_RANK=%d is not below PMI_SIZE=%d", rank, size)
	}
	conn, err := inherited(int(fd))
	if err != nil {
		return nil, fmt.Errorf("pmi: PMI_FD=%d: %w (unset PMI_FD to run alone)", fd, err)
	}
	return NewClient(ctx, conn, rank, size)
}

func openPort(ctx context.Context, address string, lookup func(string) (string, bool)) (*Client, error) {
	if _, _, err := net.SplitHostPort(address); err != nil {
		return nil, fmt.Errorf("pmi: PMI_PORT=%s is not host:port", address)
	}
	id, err := number(lookup, "PMI_ID")
	if err != nil {
		return nil, err
	}
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("pmi: PMI_PORT: %w", err)
	}
	c, err := newClient(conn).beginPort(ctx, id)
	if err != nil {
		_ = conn.Close()
		return nil, err
	}
	return c, nil
}

// beginPort sends the id by which the launcher knows this process. The launcher answers, in three lines, with what the
// environment says if a connection is inherited.
func (c *Client) beginPort(ctx context.Context, id int) (*Client, error) {
	if _, err := c.call(ctx, "initack", format("initack", "pmiid", strconv.Itoa(id))); err != nil {
		return nil, fmt.Errorf("pmi: PMI_ID=%d: %w", id, err)
	}
	var size, rank, debug int
	for _, v := range []struct {
		key   string
		value *int
	}{{"size", &size}, {"rank", &rank}, {"debug", &debug}} {
		reply, err := c.receive(ctx, "set")
		if err == nil {
			*v.value, err = reply.integer(v.key)
		}
		if err != nil {
			return nil, fmt.Errorf("pmi: PMI_ID=%d: %w", id, err)
		}
	}
	return c.begin(ctx, rank, size)
}

// number is the value of an environment variable that must be a number from 0.
func number(lookup func(string) (string, bool), name string) (int, error) {
	text, ok := lookup(name)
	if !ok {
		return 0, errors.New("pmi: the launcher has not set " + name)
	}
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil {
		return 0, fmt.Errorf("pmi: %s=%s is not a number from 0", name, text)
	}
	return int(n), nil
}
