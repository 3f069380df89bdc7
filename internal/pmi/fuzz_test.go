package pmi

import (
	"io"
	"net"
	"strings"
	"sync"
	"testing"
)

// FuzzServer sends anything to a server as rank 0 of two. The server must end the connection by itself or at its end,
// and keep what it holds within bounds.
func FuzzServer(f *testing.F) {
	const init = "cmd=init pmi_version=1 pmi_subversion=1\n"
	f.Add(init + "cmd=get_maxes\ncmd=put key=a value=b\ncmd=get key=a\ncmd=finalize\n")
	f.Add(init + "cmd=barrier_in\ncmd=abort exitcode=1 message=x\n")
	f.Add(init + "mcmd=spawn\ntotspawns=1\nspawnssofar=1\nendcmd\n")
	f.Add("cmd=abort exitcode=1 message=x\nmore\n")
	f.Fuzz(func(t *testing.T, sent string) {
		s, err := NewServer(Config{Size: 2})
		if err != nil {
			t.Fatal(err)
		}
		near, far := net.Pipe()
		var served sync.WaitGroup
		served.Go(func() { s.ServeConn(0, far) })
		served.Go(func() { _, _ = io.Copy(io.Discard, near) })
		_, _ = io.WriteString(near, sent)
		_ = near.Close()
		served.Wait()
		if s.kvs.added[0] > maxKeys || len(s.kvs.values) > maxKeys+1 {
			t.Errorf("%d keys", len(s.kvs.values))
		}
	})
}

// FuzzClient answers a client with anything. It must return, and what it returns must have passed its checks.
func FuzzClient(f *testing.F) {
	f.Add("cmd=response_to_init rc=0 pmi_version=1 pmi_subversion=1\ncmd=maxes kvsname_max=256 keylen_max=64 vallen_max=1024\n" +
		"cmd=my_kvsname kvsname=k\ncmd=get_result rc=0 value=v\ncmd=barrier_out\ncmd=finalize_ack\n")
	f.Add("cmd=response_to_init rc=1 msg=no\n")
	f.Fuzz(func(t *testing.T, replies string) {
		near, far := net.Pipe()
		var launcher sync.WaitGroup
		launcher.Go(func() { _, _ = io.Copy(io.Discard, far) })
		launcher.Go(func() {
			_, _ = io.WriteString(far, replies)
			_ = far.Close()
		})
		if c, err := NewClient(t.Context(), near, 0, 1); err == nil {
			value, err := c.Get(t.Context(), "k")
			if err == nil && strings.ContainsAny(value, "\n\x00") {
				t.Errorf("value %q", value)
			}
			_ = c.Fence(t.Context())
			_ = c.Finalize(t.Context())
		}
		_ = near.Close()
		launcher.Wait()
	})
}
