package main

import (
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/internal/sight"
)

// watchedJobs are jobs of three ranks to look at.
var watchedJobs = map[string]func(t *testing.T) *mpirun{
	"here": func(t *testing.T) *mpirun { return command(t, "-n", "3", "RANK", "watched") },
	"on other hosts": func(t *testing.T) *mpirun {
		m, _ := onHosts(t, "a:1,b:2", "-n", "3", "-x", "SCTPMPI_INTERFACE=127.0.0.1", "RANK", "watched")
		return m
	},
}

// A rank that has been stopped holds up neither viewers nor, when it goes on, the job; on another host its proxy tells that it has been.
func TestAStoppedRankIsSeenToBe(t *testing.T) {
	for name, start := range watchedJobs {
		t.Run(name, func(t *testing.T) {
			alone(t)
			m := start(t)
			m.Env = append(m.Env, "SCTPMPI_DEADLOCK_CHECK=0")
			end := begin(t, m)
			r := awaitView(t, m, allButFirst)
			require.NoError(t, syscall.Kill(r.Ranks[2].Pid, syscall.SIGSTOP))
			r = awaitView(t, m, in(sight.Computing, sight.Waiting, sight.Stopped))
			assert.NotEmpty(t, r.Ranks[2].Wait().In, "what it has said before")
			assert.NotZero(t, r.Ranks[2].Age)
			if r.Hosts > 1 {
				assert.Equal(t, []string{"a", "b", "b"}, []string{r.Ranks[0].Host, r.Ranks[1].Host, r.Ranks[2].Host})
			}
			require.NoError(t, syscall.Kill(r.Ranks[2].Pid, syscall.SIGCONT))
			awaitView(t, m, allButFirst)
			end()
		})
	}
}

// The user is told once of a rank that has been stopped: others may wait for it.
func TestAStoppedRankIsMentionedOnce(t *testing.T) {
	for name, start := range watchedJobs {
		t.Run(name, func(t *testing.T) {
			alone(t)
			m, said := start(t), make(lines, 16)
			m.Env, m.Stderr = append(m.Env, "SCTPMPI_DEADLOCK_CHECK=1ms"), said
			end := begin(t, m)
			r := awaitView(t, m, allButFirst)
			stop := func() {
				require.NoError(t, syscall.Kill(r.Ranks[2].Pid, syscall.SIGSTOP))
				awaitView(t, m, in(sight.Computing, sight.Waiting, sight.Stopped))
			}
			stop()
			assert.Regexp(t, `^mpirun: rank 2 \(.*\) has been stopped, by a signal such as SIGSTOP or by a debugger; what waits for that goes on after SIGCONT\n$`, <-said)
			require.NoError(t, syscall.Kill(r.Ranks[2].Pid, syscall.SIGCONT))
			awaitView(t, m, allButFirst)
			stop()
			require.NoError(t, syscall.Kill(r.Ranks[2].Pid, syscall.SIGCONT))
			awaitView(t, m, allButFirst)
			end()
			assert.Empty(t, said)
		})
	}
}

// lines are what a program writes, each time that it does.
type lines chan string

func (l lines) Write(b []byte) (int, error) {
	l <- string(b)
	return len(b), nil
}
