package udp

import (
	"golang.org/x/sys/unix"
)

// noSuchCall is the number of no system call: ENOSYS.
const noSuchCall = 0xffff

func init() {
	variants = append(variants,
		variant{name: "no offload", open: open, config: Config{NoOffload: true}},
		variant{name: "one message a call", open: withCalls(func(calls) calls { return callsBy(noSuchCall, noSuchCall) })},
		variant{name: "few messages a call", open: withCalls(func(c calls) calls {
			return calls{
				send: func(fd int, msgs []unix.Mmsghdr, bytes int) (int, unix.Errno) {
					return c.send(fd, msgs[:min(3, len(msgs))], bytes)
				},
				recv: c.recv,
			}
		})},
	)
}

// withCalls is native with other system calls.
func withCalls(change func(calls) calls) opener {
	return func(s *shared, port uint16, c Config) (socket, error) {
		n, err := openNative(s, port, c)
		if err == nil {
			n.calls = change(n.calls)
		}
		return n, err
	}
}
