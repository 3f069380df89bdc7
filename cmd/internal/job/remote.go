package job

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/internal/output"
	"github.com/sctpmpi/sctpmpi/cmd/internal/process"
	"github.com/sctpmpi/sctpmpi/cmd/internal/proxy"
)

const (
	// reachers is how many other hosts are being connected to at a time.
	reachers = 32
	// abandonTime is how long a host may take to say that its ranks have been killed, and after how long a host is given up of
	// which nothing comes while its ranks are being started, or while it is to end.
	abandonTime = 2 * time.Minute
	// hurryTime is abandonTime for a user who is in a hurry.
	hurryTime = time.Second
	// lastWordsTime is how long a lost host's last words may wait for standard error.
	lastWordsTime = 10 * time.Second
)

// remote is another host that runs ranks of the job.
type remote struct {
	Host
	proxy *proxy.Host       // nil until its remote shell has been started
	words *output.Forwarder // what that writes to standard error

	clock proxy.Clock // how that of the host differs, if there is a trace
	// Why the traces, and the profiles, of its ranks are not all here.
	traceLost, profileLost error
}

// shell is the number of the process of the remote shell.
func (r *remote) shell() int {
	if r.proxy == nil {
		return 0
	}
	return r.proxy.Pid()
}

// reachAll has all other hosts find out whether they can run their ranks. It reports whether all can.
func (j *job) reachAll(stdin process.Stdin) bool {
	failures := make([]*unreached, len(j.remotes))
	var reaching sync.WaitGroup
	places := make(chan struct{}, reachers)
	for i, r := range j.remotes {
		reaching.Go(func() {
			places <- struct{}{}
			defer func() { <-places }()
			failures[i] = j.reach(r, stdin)
			if failures[i] != nil && failures[i].late {
				j.late.Store(true)
			}
		})
	}
	reaching.Wait()
	j.reached.Store(true)
	together := gather(failures)
	if len(together) > 0 {
		j.post(func() {
			j.stop()
			for _, f := range together[:len(together)-1] {
				j.say(f.text)
			}
			j.fail(together[len(together)-1])
		})
	}
	return len(together) == 0 && !j.halt.Load()
}

// unreached is a host that cannot run its ranks.
type unreached struct {
	host   string
	status int
	text   string // with %s for "host a", or the hosts for which the reason is the same
	late   bool   // it has not answered in time
}

// gather puts the hosts with the same reason together, in their order.
func gather(all []*unreached) (failures []failure) {
	hosts := make(map[string][]string)
	for _, u := range all {
		if u != nil {
			hosts[u.text] = append(hosts[u.text], u.host)
		}
	}
	for _, u := range all {
		if u == nil || hosts[u.text] == nil {
			continue
		}
		names := "host " + u.host
		if same := hosts[u.text]; len(same) > 1 {
			names = "hosts " + strings.Join(same, ", ")
		}
		delete(hosts, u.text)
		failures = append(failures, failure{status: u.status, text: strings.Replace(u.text, "%s", names, 1)})
	}
	return failures
}

// reach connects to a host and tells it what to run. When a host has not answered in time no further ones are tried, so that all
// of them together take twice that time at most.
func (j *job) reach(r *remote, stdin process.Stdin) *unreached {
	if j.halt.Load() || j.late.Load() {
		return nil
	}
	h, err := proxy.Dial(j.spec.Shell, r.Name, j.spec.Beat, proxy.Events{
		Started: func(p *proxy.Remote) { j.startedThere(r, p, stdin) },
		NotStarted: func(number int, why *proxy.Refusal) {
			text := fmt.Sprintf("cannot start rank %d on host %s: %s", number, r.Name, why.Text)
			j.enter(number, nil, &startError{number, why.Status, text})
		},
		Lost:  func(why error) { j.lostRemote(r, why) },
		Noise: func(line string) { j.stderr.Println(r.Name + ": " + line) },
	})
	if err != nil {
		return &unreached{host: r.Name, status: process.StatusNotFound, text: fmt.Sprintf("cannot start the remote shell for %%s: %v", err)}
	}
	context.AfterFunc(j.hurried, func() { h.Kill(context.Cause(j.hurried)) })
	r.proxy, r.words = h, j.stderr.Hold(h.Stderr, r.Name+": ", 0)
	late := fmt.Errorf("no answer within %v; --launch-timeout sets how long it may take", j.spec.LaunchTimeout)
	ctx, cancel := context.WithTimeoutCause(j.halted, j.spec.LaunchTimeout, late)
	defer cancel()
	notes, err := h.Prepare(ctx, j.part(r))
	if err == nil {
		r.words.Release()
		for _, note := range notes {
			j.stderr.Println("mpirun: host " + r.Name + ": " + note)
		}
		return nil
	}
	h.Close() // nothing runs there
	defer func() { r.proxy = nil }()
	if refusal, ok := errors.AsType[*proxy.Refusal](err); ok {
		return &unreached{host: r.Name, status: refusal.Status, text: "%s: " + refusal.Text}
	}
	if errors.Is(err, context.Canceled) {
		return nil // the job ends
	}
	return &unreached{host: r.Name, status: statusFailed, text: "cannot start mpirun on %s: " + j.lastWords(r, err), late: errors.Is(err, late)}
}

// lastWords is what a remote shell has written last, or else how it has ended. What it has written before is passed on, if
// standard error takes it.
func (j *job) lastWords(r *remote, err error) string {
	r.words.Drain(process.SettleTime)
	select {
	case <-r.words.Done():
	case <-time.After(lastWordsTime):
		return err.Error()
	}
	held := strings.TrimSpace(r.words.Take())
	text := err.Error()
	if _, ended := errors.AsType[*proxy.ShellError](err); ended {
		if last := r.words.LastLine(); last != "" {
			text, held = last, strings.TrimSuffix(held, last)
		}
	}
	for line := range strings.Lines(held) {
		j.stderr.Println(r.Name + ": " + strings.TrimRight(line, "\r\n"))
	}
	return text
}

// part is what a host is to run.
func (j *job) part(r *remote) proxy.Part {
	part := proxy.Part{
		Size: j.spec.size(), Bind: j.spec.Bind, Together: j.together, Trace: j.spec.Trace != "", Profile: j.spec.Profile != "",
		Env: slices.Concat(along(os.Environ()), j.settings), Stdin: slices.Contains(r.Ranks, 0),
	}
	for _, number := range r.Ranks {
		part.Ranks = append(part.Ranks, proxy.Rank{Number: number, App: j.apps[number]})
	}
	here, _ := os.Getwd()
	for _, app := range j.spec.Apps {
		a := proxy.App{Name: app.Name, Path: app.Path, Args: app.Args, Env: app.Env, ABI: app.ABI, Dir: app.Dir, Strict: app.Dir != ""}
		if a.Dir == "" {
			a.Dir = here
		} else if !filepath.IsAbs(a.Dir) {
			a.Dir = filepath.Join(here, a.Dir)
		}
		part.Apps = append(part.Apps, a)
	}
	return part
}

// startedThere takes a rank of another host into the job.
func (j *job) startedThere(on *remote, p *proxy.Remote, stdin process.Stdin) {
	number := p.Number()
	r := &rank{number: number, process: p, pidThere: p.Pid, host: on.Name, pmi: p.PMI}
	r.where = fmt.Sprintf("host %s, pid %d, %s", on.Name, p.Pid, filepath.Base(j.spec.Apps[j.apps[number]].Args[0]))
	j.forward(r, p.Stdout, p.Stderr)
	j.enter(number, r, nil)
	if number == 0 {
		go p.Feed(stdin.File)
	}
}

// rest tells all other hosts that this process is about to be stopped, and waits until that, and what was sent before, is on its way, a
// second at most. They wait for it then however long it is silent.
func (j *job) rest() {
	limit := time.Now().Add(time.Second)
	for _, h := range j.proxies() {
		h.Rest(true)
	}
	for _, h := range j.proxies() {
		h.Flush(time.Until(limit))
	}
}

// rested tells them that this process is there again.
func (j *job) rested() {
	for _, h := range j.proxies() {
		h.Rest(false)
	}
}

// proxies are those of other hosts, once all of these have been reached.
func (j *job) proxies() (list []*proxy.Host) {
	for _, r := range j.remotes {
		if r.proxy != nil && j.reached.Load() {
			list = append(list, r.proxy)
		}
	}
	return list
}

// lostRemote ends the job because the connection to a host has ended, or goes on without the ranks there: they count as dead.
func (j *job) lostRemote(r *remote, why error) {
	text := fmt.Sprintf("lost host %s: %s", r.Name, j.lastWords(r, why))
	j.post(func() {
		if j.spec.KeepGoing && j.ending == 0 && !slices.ContainsFunc(r.Ranks, func(number int) bool { return j.ranks[number] == nil }) {
			j.say(text + "; the job goes on without its ranks")
			return
		}
		j.fail(failure{status: statusFailed, text: text})
	})
}

// abandonRemotes gives up hosts that do not say that their ranks have ended.
func (j *job) abandonRemotes() {
	for _, r := range j.remotes {
		for rank := range j.processes {
			if rank.host == r.Name && !rank.over && r.proxy != nil {
				go j.sayAbandoned(r) // it may wait for standard error
				r.proxy.Kill(proxy.ErrSilent)
				break
			}
		}
	}
	if j.hurry {
		j.giveUp()
		j.flee = time.After(hurryTime)
	}
}

func (j *job) sayAbandoned(r *remote) {
	j.stderr.Println("mpirun: host " + r.Name + " does not answer any more: its ranks may still run, and what they wrote last is lost")
}

// finishRemotes has all other hosts kill what their ranks have left behind, and waits for all that these have written. It returns
// why that is not all there.
func (j *job) finishRemotes() (lost []string) {
	broken := make([]error, len(j.remotes))
	var finishing sync.WaitGroup
	for i, r := range j.remotes {
		if r.proxy == nil {
			continue
		}
		finishing.Go(func() {
			fetched := j.fetchRecords(r)
			broken[i] = r.proxy.Finish(abandonTime)
			<-fetched
			r.words.Release()
			r.words.Drain(process.SettleTime)
			<-r.words.Done()
		})
	}
	finishing.Wait()
	for i, err := range broken {
		if err != nil {
			lost = append(lost, fmt.Sprintf("lost host %s before all had come that its ranks have written: %v", j.remotes[i].Name, err))
		}
	}
	return lost
}
