package sight

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// ErrEnded says that the job has ended.
var ErrEnded = errors.New("the job has ended")

// Found is a job that can be looked at.
type Found struct {
	Job
	// Mute is why mpirun has not said what its job is. Then only its process number is known.
	Mute error
	file string
}

// dialTime is how long the connection with an mpirun, and the answer to what job it has, may take.
const dialTime = 5 * time.Second

// Find returns the jobs of this user on this host, the oldest first, and removes what dead mpiruns have left.
func Find() (jobs []Found) {
	var asking sync.WaitGroup
	var mu sync.Mutex
	for file, pid := range sockets() {
		asking.Go(func() {
			job, err := ask(file, askName, dialTime)
			switch {
			case errors.Is(err, os.ErrNotExist) || errors.Is(err, ErrEnded):
				return
			case stale(pid, err):
				_ = os.Remove(file)
				return
			case err != nil:
				job = Job{Pid: pid}
			}
			mu.Lock()
			defer mu.Unlock()
			jobs = append(jobs, Found{job, err, file})
		})
	}
	asking.Wait()
	slices.SortFunc(jobs, func(a, b Found) int { return cmp.Or(a.Started.Compare(b.Started), cmp.Compare(a.Pid, b.Pid)) })
	return jobs
}

// Choose returns the job that a user means: by the process number of its mpirun or by its name, or the only one if what is empty.
func Choose(jobs []Found, what string) (Found, error) {
	var fitting []Found
	for _, j := range jobs {
		if what == "" || what == strconv.Itoa(j.Pid) || what == j.Name {
			fitting = append(fitting, j)
		}
	}
	switch {
	case len(fitting) == 1:
		return fitting[0], nil
	case len(jobs) == 0:
		return Found{}, fmt.Errorf("no job of yours runs on this host (looked in %s)", strings.Join(folders(), ", "))
	case len(fitting) == 0:
		return Found{}, fmt.Errorf("there is no job %s; there are:\n%s", what, List(jobs))
	}
	return Found{}, fmt.Errorf("there are several jobs; name one by its number:\n%s", List(fitting))
}

// List has a line for each job.
func List(jobs []Found) string {
	var b strings.Builder
	for _, j := range jobs {
		if j.Mute != nil {
			fmt.Fprintf(&b, "  %d  does not answer: %v\n", j.Pid, j.Mute)
			continue
		}
		fmt.Fprintf(&b, "  %d  %s, %d ranks, since %s\n", j.Pid, j.Name, j.Size, j.Started.Format("2006-01-02 15:04:05"))
	}
	return strings.TrimRight(b.String(), "\n")
}

// Look returns how the job is now.
func (f *Found) Look() (Job, error) {
	job, err := ask(f.file, askLook, answerTime)
	if err != nil {
		if _, gone := os.Lstat(f.file); gone != nil || stale(f.Pid, err) {
			err = ErrEnded
		}
	}
	return job, err
}

// dial connects to an mpirun of this user.
func dial(file string) (*net.UnixConn, error) {
	conn, err := net.DialTimeout("unix", file, dialTime)
	if err != nil {
		return nil, err
	}
	unix := conn.(*net.UnixConn)
	if err := checkPeer(unix); err != nil {
		_ = conn.Close()
		return nil, err
	}
	return unix, nil
}

// ask asks an mpirun one question.
func ask(file, question string, limit time.Duration) (Job, error) {
	conn, err := dial(file)
	if err != nil {
		return Job{}, err
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(limit))
	_, err = conn.Write([]byte(question + "\n"))
	var reply []byte
	if err == nil {
		reply, err = io.ReadAll(io.LimitReader(conn, maxAnswer))
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return Job{}, fmt.Errorf("mpirun has not answered within %v: is it stopped?", limit)
	}
	var a answer
	switch {
	case err != nil:
		return Job{}, err
	case len(reply) == 0:
		return Job{}, errors.New("mpirun has closed the connection: it has ended, or has too many viewers")
	case json.Unmarshal(reply, &a) != nil || a.Job == nil && a.Error == "":
		return Job{}, errors.New("mpirun has answered nonsense")
	case a.Error == ErrEnded.Error():
		return Job{}, ErrEnded
	case a.Error != "":
		return Job{}, errors.New(a.Error)
	}
	return *a.Job, nil
}
