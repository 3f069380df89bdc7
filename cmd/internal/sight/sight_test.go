//go:build unix

package sight

import (
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// here gives the test a folder of its own for sockets, whose path is short enough for one, and in which no other job is.
func here(t *testing.T) (folder string) {
	t.Helper()
	base, err := os.MkdirTemp("/tmp", "sight")
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(base) })
	t.Setenv("XDG_RUNTIME_DIR", base)
	return folders()[0]
}

// found are the jobs of the test, among those that this user may have.
func found(folder string) (jobs []Found) {
	for _, j := range Find() {
		if filepath.Dir(j.file) == folder {
			jobs = append(jobs, j)
		}
	}
	return jobs
}

// listen lets a job be looked at whose mpirun is this process.
func listen(t *testing.T, name string, look func() (Job, bool)) *Server {
	t.Helper()
	s, err := Listen(Job{Pid: os.Getpid(), Name: name, Size: 2, Started: time.Now()}, look)
	require.NoError(t, err)
	t.Cleanup(s.Close)
	return s
}

func TestAJobIsFoundAndLookedAt(t *testing.T) {
	folder := here(t)
	looks := 0
	s := listen(t, "farm", func() (Job, bool) {
		looks++
		return Job{Name: "farm", Ranks: make([]Rank, 2)}, looks < 2
	})
	info, err := os.Stat(s.file)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	jobs := found(folder)
	require.Len(t, jobs, 1)
	assert.Zero(t, looks, "no rank is asked for a list of jobs")
	job, err := jobs[0].Look()
	require.NoError(t, err)
	assert.Len(t, job.Ranks, 2)

	s.taken = time.Time{} // as if that had been long ago
	_, err = jobs[0].Look()
	assert.ErrorIs(t, err, ErrEnded)
	s.Close()
	_, err = jobs[0].Look()
	assert.ErrorIs(t, err, ErrEnded)
	assert.Empty(t, found(folder))
	assert.NoDirExists(t, folder, "nothing is left")
}

// Ranks are not asked more often than leastInterval, however often viewers ask.
func TestManyLooksAreOne(t *testing.T) {
	folder, looks := here(t), 0
	s := listen(t, "farm", func() (Job, bool) {
		looks++
		return Job{Name: "farm"}, true
	})
	job := found(folder)[0]
	_, err := job.Look()
	require.NoError(t, err)
	for range 10 {
		s.turn.Lock()
		s.taken = time.Now().Add(time.Hour) // no time passes
		s.turn.Unlock()
		_, err := job.Look()
		require.NoError(t, err)
	}
	assert.Equal(t, 1, looks)
}

// A viewer that asks nothing, or does not read, takes one of the places, and no other viewer notices until all are taken: then it is told.
func TestAViewerThatDoesNotReadHoldsUpNone(t *testing.T) {
	folder := here(t)
	listen(t, "farm", func() (Job, bool) {
		return Job{Name: strings.Repeat("x", 16<<20)}, true // more than a socket holds
	})
	job := found(folder)[0]
	for range 3 {
		conn, err := dial(job.file)
		require.NoError(t, err)
		defer conn.Close()
		_, err = conn.Write([]byte(askLook + "\n"))
		require.NoError(t, err)
	}
	seen, err := job.Look()
	require.NoError(t, err)
	assert.Len(t, seen.Name, 16<<20)

	full := &Server{viewers: make(chan struct{}, 1), file: filepath.Join(folder, "full"+ending)}
	full.viewers <- struct{}{}
	full.listener, err = net.ListenUnix("unix", &net.UnixAddr{Name: full.file})
	require.NoError(t, err)
	go full.serve()
	defer full.Close()
	_, err = ask(full.file, askLook, time.Minute)
	assert.Error(t, err)
}

// An mpirun of another version says so, and does not fall silent.
func TestAnUnknownQuestionIsAnswered(t *testing.T) {
	folder := here(t)
	listen(t, "farm", nil)
	_, err := ask(found(folder)[0].file, "sing", time.Minute)
	assert.ErrorContains(t, err, "another version")
	_, err = ask(found(folder)[0].file, strings.Repeat("x", 1000), time.Minute)
	assert.Error(t, err)
}

// What an mpirun has left that was killed is removed, by viewers and by the next mpirun.
func TestSocketsOfTheDeadAreRemoved(t *testing.T) {
	folder := here(t)
	require.NoError(t, makeFolder(folder))
	died := exec.CommandContext(context.Background(), "true")
	require.NoError(t, died.Run())
	leave := func() {
		s := &Server{job: Job{Pid: died.Process.Pid}}
		require.NoError(t, s.listen(folder))
		require.NoError(t, s.listener.Close())
	}
	left := func() int {
		entries, err := os.ReadDir(folder)
		require.NoError(t, err)
		return len(entries)
	}
	leave()
	require.Equal(t, 1, left())
	assert.Empty(t, found(folder))
	assert.Zero(t, left())
	leave()
	listen(t, "farm", nil)
	assert.Equal(t, 1, left(), "the one of the new job")

	early := filepath.Join(folder, "new-1.x")
	require.NoError(t, os.WriteFile(early, nil, 0o600))
	sockets()
	assert.Equal(t, 2, left(), "it may get its name yet")
	require.NoError(t, os.Chtimes(early, time.Now().Add(-time.Hour), time.Now().Add(-time.Hour)))
	sockets()
	assert.Equal(t, 1, left())
}

// A folder that others can change might have a socket of another user's: it is not used, by neither end.
func TestAFolderThatOthersCanUseIsNotUsed(t *testing.T) {
	folder := here(t)
	require.NoError(t, os.Mkdir(folder, 0o700))
	require.NoError(t, os.Chmod(folder, 0o755)) // whatever the umask
	assert.ErrorContains(t, makeFolder(folder), "chmod 700 "+folder)
	require.NoError(t, os.Chmod(folder, 0o700))
	require.NoError(t, makeFolder(folder))
	link := folder + "-link"
	require.NoError(t, os.Symlink(folder, link))
	assert.ErrorContains(t, makeFolder(link), "is no folder")
	file := folder + "-file"
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	assert.ErrorContains(t, makeFolder(file), "is no folder")
}

func TestTheJobThatAUserMeans(t *testing.T) {
	a, b := Found{Job: Job{Pid: 17, Name: "farm", Size: 4}}, Found{Job: Job{Pid: 18, Name: "farm", Size: 5}}
	c := Found{Job: Job{Pid: 19, Name: "heat", Size: 6}}
	for what, want := range map[string]int{"17": 17, "18": 18, "heat": 19} {
		job, err := Choose([]Found{a, b, c}, what)
		require.NoError(t, err)
		assert.Equal(t, want, job.Pid)
	}
	job, err := Choose([]Found{b}, "")
	require.NoError(t, err)
	assert.Equal(t, 18, job.Pid)
	_, err = Choose(nil, "")
	assert.ErrorContains(t, err, "no job of yours runs on this host")
	_, err = Choose([]Found{a, b, c}, "farm")
	assert.ErrorContains(t, err, "there are several jobs; name one by its number:\n  17  farm, 4 ranks, since ")
	assert.NotContains(t, err.Error(), "heat")
	_, err = Choose([]Found{a}, "20")
	assert.ErrorContains(t, err, "there is no job 20; there are:\n  17  farm")
}
