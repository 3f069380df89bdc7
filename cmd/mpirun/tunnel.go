package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"time"

	"github.com/spf13/pflag"

	"github.com/sctpmpi/sctpmpi/cmd/internal/proxy"
	"github.com/sctpmpi/sctpmpi/cmd/internal/tunnel"
)

const (
	// tunnelPort is where mpirun serve is found.
	tunnelPort = 7117
	// serveTime is how long it waits for a job: other containers may have to wait for a host, or for their image.
	serveTime = 10 * time.Minute
	// quiet is how long mpirun connect tries before it says what keeps it.
	quiet = 10 * time.Second
	// tooMany bounds the lines about strangers.
	tooMany = 20
	// lingerTime is how long the last that was sent may take to arrive.
	lingerTime = 10 * time.Second
)

// unanswered is how long connections may be taken and not answered: as long as what forwards them may be there before what it forwards to.
var unanswered = 10 * time.Second

// tunnelFlags reads the flags of serve and connect, which all have --secret and --port.
func tunnelFlags(args []string, more func(*pflag.FlagSet)) (secret *tunnel.Secret, port int, rest []string, err error) {
	fs := pflag.NewFlagSet("mpirun "+args[0], pflag.ContinueOnError)
	fs.Usage = func() {}
	fs.SetInterspersed(false)
	file := fs.String("secret", "", "")
	fs.IntVar(&port, "port", tunnelPort, "")
	more(fs)
	if err := fs.Parse(args[1:]); err != nil {
		return nil, 0, nil, plain(err)
	}
	switch {
	case *file == "":
		return nil, 0, nil, fmt.Errorf("%s needs --secret FILE, the same secret on all hosts", args[0])
	case port < 1 || port > 65535:
		return nil, 0, nil, fmt.Errorf("--port %d: there are ports 1 to 65535", port)
	}
	if secret, err = tunnel.Read(*file); err != nil {
		err = fmt.Errorf("--secret: %w", err)
	}
	return secret, port, fs.Args(), err
}

func usage(stdout, stderr io.Writer, err error) int {
	if errors.Is(err, pflag.ErrHelp) {
		fmt.Fprint(stdout, help())
		return 0
	}
	fmt.Fprintf(stderr, "mpirun: %v\nmpirun: see mpirun --help\n", err)
	return statusUsage
}

// serve runs the ranks of one job here, for an mpirun that connects.
func serve(args []string, stdout, stderr io.Writer) int {
	limit := serveTime
	secret, port, rest, err := tunnelFlags(args, func(fs *pflag.FlagSet) { fs.DurationVar(&limit, "launch-timeout", limit, "") })
	switch {
	case err != nil:
	case len(rest) > 0:
		err = fmt.Errorf("serve takes no program: mpirun --host names it")
	case limit <= 0:
		err = fmt.Errorf("--launch-timeout %v: it must be longer than nothing", limit)
	}
	if err != nil {
		return usage(stdout, stderr, err)
	}
	l, err := net.Listen("tcp", ":"+strconv.Itoa(port))
	if err != nil {
		fmt.Fprintf(stderr, "mpirun: %v\n", err)
		return 1
	}
	ctx, cancel := context.WithTimeoutCause(context.Background(), limit, fmt.Errorf("no mpirun has connected within %v; --launch-timeout sets how long it may take. A job that runs takes no further host", limit))
	defer cancel()
	lines := make(chan struct{}, tooMany)
	conn, err := secret.Accept(ctx, l, func(from net.Addr, err error) {
		select {
		case lines <- struct{}{}:
			fmt.Fprintf(stderr, "mpirun: refused %v, which does not know the secret: %v\n", from, err)
		default:
		}
	})
	if err != nil {
		fmt.Fprintf(stderr, "mpirun: %v\n", err)
		return 1
	}
	status := proxy.Serve(conn, outgoing{conn}, beat)
	conn.Drain(lingerTime)
	return status
}

// outgoing is the half of a connection that is written to.
type outgoing struct{ *tunnel.Conn }

func (o outgoing) Close() error { return o.CloseWrite() }

// connect stands for a remote shell: it takes a host and a command, and joins its standard input and output with mpirun serve there,
// which does what the command would do.
func connect(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	secret, port, rest, err := tunnelFlags(args, func(*pflag.FlagSet) {})
	if err == nil && len(rest) != 2 {
		err = errors.New("connect is for --launch-agent, as in --launch-agent \"mpirun connect --secret FILE\"")
	}
	if err != nil {
		return usage(stdout, stderr, err)
	}
	address, begun, answered, last := net.JoinHostPort(rest[0], strconv.Itoa(port)), time.Now(), time.Now(), ""
	conn, err := secret.Dial(context.Background(), address, func(err error) (goOn bool) {
		if errors.Is(err, tunnel.ErrUnanswered) {
			return time.Since(answered) < unanswered
		}
		answered = time.Now()
		if text := err.Error(); time.Since(begun) > quiet && text != last {
			last = text
			fmt.Fprintf(stderr, "no mpirun serve yet: %s\n", text)
		}
		return true
	})
	if err != nil {
		fmt.Fprintf(stderr, "%s: %v\n", address, err)
		return 1
	}
	go func() {
		_, _ = io.Copy(conn, stdin)
		_ = conn.CloseWrite()
	}()
	if _, err := io.Copy(stdout, conn); err != nil {
		fmt.Fprintf(stderr, "the connection with %s was cut: %v\n", address, err)
		return 1
	}
	return 0
}
