//go:build unix

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"os/signal"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/sctpmpi/sctpmpi/internal/pmi"
	"github.com/sctpmpi/sctpmpi/mpi"
)

var pid = regexp.MustCompile(`\(pid \d+, [^)]*\)`)

// rank does what a rank of a test is told to and returns its exit status.
func rank(args []string) int {
	number, _ := strconv.Atoi(os.Getenv("PMI_RANK"))
	what, args := args[0], args[1:]
	ctx := context.Background()
	var client *pmi.Client
	if what == "met" { // does what follows when all ranks have begun: some launchers do not end ranks well that are about to
		var err error
		if client, err = pmi.Open(ctx); err == nil {
			err = client.Fence(ctx)
		}
		if err != nil {
			fmt.Println(err)
			return 99
		}
		what, args = args[0], args[1:]
	}
	if len(args) > 0 && strings.HasPrefix(args[0], "only=") { // the others wait to be ended
		if args[0] != "only="+strconv.Itoa(number) {
			what = "hang"
		}
		args = args[1:]
	}
	switch what {
	case "exit":
		status, _ := strconv.Atoi(args[0])
		return status
	case "hang":
		time.Sleep(time.Hour) // much longer than the job
	case "panic":
		panic("out of luck")
	case "kill":
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	case "arguments":
		fmt.Printf("%q\n", args)
	case "environment":
		printEnvironment(number)
	case "directory":
		directory, _ := os.Getwd()
		fmt.Println(directory)
	case "cat":
		text, _ := io.ReadAll(os.Stdin)
		fmt.Printf("%d read %q\n", number, text)
	case "first-line":
		line := make([]byte, 2)
		_, _ = io.ReadFull(os.Stdin, line)
		fmt.Printf("%q\n", line)
	case "babble":
		_, _ = os.NewFile(3, "PMI").WriteString("hello\n")
		time.Sleep(time.Hour) // much longer than the job
	case "lines":
		return printLines(number, args)
	case "signals":
		return printSignals(args)
	case "orphans":
		return leaveOrphans(args)
	case "background":
		return background(args)
	case "receive":
		return receive()
	case "says":
		status, _ := strconv.Atoi(args[0])
		log.Println(strings.Join(args[1:], " "))
		return status
	case "fails":
		err := mpi.Run(func(world *mpi.Comm) error {
			if world.Rank() == 1 {
				return errors.New("disk full")
			}
			return world.Barrier()
		})
		if err != nil && number == 1 {
			log.Fatal(err) // as programs do
		}
	case "stuck":
		return stuck(args[0])
	case "watched":
		return watched()
	case "barrier":
		return barrier()
	case "ring":
		return ring(nil)
	case "ring-held": // until standard input ends
		return ring(heldByFirst)
	case "known":
		return sendKnown()
	case "talk":
		return talk()
	case "victim":
		return victim(args[0])
	case "survive":
		return survive(args)
	case "stuck-survivors":
		return stuckSurvivors(args[0])
	case "bereaved":
		return bereaved()
	case "accuse":
		return accuse()
	default:
		if client == nil {
			var err error
			if client, err = pmi.Open(ctx); err != nil {
				fmt.Println(err)
				return 99
			}
		}
		return clientRank(ctx, client, what, args)
	}
	return 0
}

func printEnvironment(rank int) {
	for _, setting := range os.Environ() {
		fmt.Printf("%d %s\n", rank, setting)
	}
}

// clientRank does things that need a PMI client.
func clientRank(ctx context.Context, c *pmi.Client, what string, args []string) int {
	switch what {
	case "token": // beside the environment
		token, err := c.Get(ctx, pmi.TokenKey)
		if err := errors.Join(err, c.Finalize(ctx)); err != nil {
			log.Fatal(err)
		}
		printEnvironment(c.Rank())
		fmt.Printf("%d token of the job=%s\n", c.Rank(), token)
		return 0
	case "exchange":
		_ = c.Put(ctx, fmt.Sprint("key-", c.Rank()), fmt.Sprint("value-", c.Rank()))
		_ = c.Fence(ctx)
		value, err := c.Get(ctx, fmt.Sprint("key-", (c.Rank()+1)%c.Size()))
		fmt.Println(c.Rank(), c.Size(), value, err)
		_ = c.Finalize(ctx)
	case "appnum":
		number, err := c.AppNum(ctx)
		fmt.Println(c.Rank(), number, err)
		_ = c.Finalize(ctx)
	case "abort":
		code, _ := strconv.Atoi(args[0])
		_ = c.Abort(ctx, code, strings.Join(args[1:], " "))
		return 77
	case "draw":
		_ = c.Fence(ctx)
		fmt.Fprint(os.Stderr, "\r10%")
		_, _ = io.Copy(io.Discard, os.Stdin)
		fmt.Fprint(os.Stderr, "\rdone\n")
		_ = c.Finalize(ctx)
	case "leave":
		return 0 // without finalize
	case "consequence":
		return consequence(ctx, c)
	case "finalized":
		_ = c.Finalize(ctx)
		status, _ := strconv.Atoi(args[0])
		return status
	case "fence":
		if err := c.Fence(ctx); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 5
		}
	}
	return 0
}

// consequence fails on rank 1 because of rank 0, which then dies of the signal that ends the job.
func consequence(ctx context.Context, c *pmi.Client) int {
	got := make(chan os.Signal, 1)
	signal.Notify(got, syscall.SIGTERM)
	_ = c.Put(ctx, fmt.Sprint("pid-", c.Rank()), strconv.Itoa(os.Getpid()))
	_ = c.Fence(ctx)
	text, _ := c.Get(ctx, "pid-1")
	other, _ := strconv.Atoi(text)
	fmt.Println("ready")
	<-got
	if c.Rank() == 1 {
		_ = c.PeerFailed(ctx, 0)
		return 1
	}
	for syscall.Kill(other, 0) == nil {
		time.Sleep(time.Millisecond)
	}
	signal.Reset(syscall.SIGTERM)
	_ = syscall.Kill(os.Getpid(), syscall.SIGTERM)
	time.Sleep(time.Hour)
	return 0
}

// printLines prints n lines, each in two pieces, alternately to standard output and standard error.
func printLines(number int, args []string) int {
	n, _ := strconv.Atoi(args[0])
	for i := range n {
		line := fmt.Sprintf("%d:%d:%s:end\n", number, i, strings.Repeat("x", i%700))
		out := os.Stdout
		if i%2 == 1 {
			out = os.Stderr
		}
		_, _ = out.WriteString(line[:len(line)/2])
		_, _ = out.WriteString(line[len(line)/2:])
	}
	return 0
}

// printSignals handles the signals that it is given by their numbers: it says when it is ready, and what it gets. It
// ends at the one that comes after "until".
func printSignals(args []string) int {
	signals, until := make(chan os.Signal, 16), syscall.Signal(0)
	for i, arg := range args {
		if n, err := strconv.Atoi(arg); err == nil {
			signal.Notify(signals, syscall.Signal(n))
			if i > 0 && args[i-1] == "until" {
				until = syscall.Signal(n)
			}
		}
	}
	fmt.Println("ready")
	for s := range signals {
		fmt.Println("got", s)
		if s == until {
			break
		}
	}
	return 0
}

// background leaves a process behind that holds all that it has inherited. As "daemon" it escapes from the process
// group and session of the rank. Then the rank exits with the status given, or waits.
func background(args []string) int {
	child := exec.Command("sleep", "3600")
	child.Stdout, child.Stderr = os.Stdout, os.Stderr
	if kept := os.NewFile(4, "kept"); slices.Contains(args, "kept") {
		child.ExtraFiles = []*os.File{kept}
	}
	if args[0] == "daemon" {
		child.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	}
	if err := child.Start(); err != nil {
		fmt.Println(err)
		return 99
	}
	fmt.Println("ready")
	if slices.Contains(args, "wait") {
		_ = child.Wait()
	}
	return 0
}

// receive waits for a message that no rank sends.
func receive() int {
	err := mpi.Run(func(world *mpi.Comm) error {
		fmt.Println("ready")
		_, err := mpi.Recv(world, make([]byte, 1), mpi.AnySource, 0)
		return err
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// victim has rank 1 killed, or fail, in the midst of a job. The other ranks fail because of that.
func victim(how string) int {
	work := func(world *mpi.Comm) error {
		if err := world.Barrier(); err != nil {
			return err
		}
		if world.Rank() != 1 {
			sum := []int{0}
			return mpi.Allreduce(world, []int{1}, sum, mpi.Sum)
		}
		switch how {
		case "fails":
			return errors.New("disk full")
		case "exits":
			os.Exit(7)
		}
		return syscall.Kill(os.Getpid(), syscall.SIGKILL)
	}
	if how == "killed-plain" { // without the Abort of Run
		world, err := mpi.Init()
		if err == nil {
			err = work(world)
		}
		if err != nil {
			return 1
		}
		return 0
	}
	if mpi.Run(work) != nil {
		return 1
	}
	return 0
}

// barrier has all ranks meet.
func barrier() int {
	err := mpi.Run(func(world *mpi.Comm) error { return world.Barrier() })
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// ring passes a long message around: ranks of one host and of several meet. After that they do what is next, if there is anything.
func ring(next func(world *mpi.Comm) error) int {
	err := mpi.Run(func(world *mpi.Comm) error {
		rank, size := world.Rank(), world.Size()
		in, out := make([]int, 50_000), make([]int, 50_000)
		out[len(out)-1] = rank
		if _, err := mpi.Sendrecv(world, out, (rank+1)%size, 0, in, (rank+size-1)%size, 0); err != nil {
			return err
		}
		if in[len(in)-1] != (rank+size-1)%size {
			return fmt.Errorf("got %d", in[len(in)-1])
		}
		if next != nil {
			return next(world)
		}
		return nil
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// known is what the messages of sendKnown have.
const known = "a payload that is known "

// sendKnown has rank 0 send messages of several lengths, whose payload is known, and rank 1 answer.
func sendKnown() int {
	err := mpi.Run(func(world *mpi.Comm) error {
		for _, length := range []int{len(known), 3_000, 1 << 20} {
			sent := []byte(strings.Repeat(known, 1+length/len(known))[:length])
			got, peer := make([]byte, length), 1-world.Rank()
			if _, err := mpi.Sendrecv(world, sent, peer, 0, got, peer, 0); err != nil {
				return err
			}
			if !slices.Equal(sent, got) {
				return fmt.Errorf("%d bytes came otherwise than they were sent", length)
			}
		}
		return nil
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// readUntilReady reads until n lines have come that begin with "ready".
func readUntilReady(in *bufio.Reader, n int) error {
	for n > 0 {
		line, err := in.ReadString('\n')
		if err != nil {
			return err
		}
		if strings.HasPrefix(line, "ready") {
			n--
		}
	}
	return nil
}
