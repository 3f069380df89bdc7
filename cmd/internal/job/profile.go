package job

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"github.com/google/pprof/profile"

	"github.com/sctpmpi/sctpmpi/cmd/internal/proxy"
	"github.com/sctpmpi/sctpmpi/internal/hang"
)

// maxProfile is the longest profile of a rank that is read, in bytes.
const maxProfile = 256 << 20

// profileOf is the file of a rank's profile.
func (s *Spec) profileOf(rank int) string { return proxy.ProfileOf(s.Profile, rank) }

// allProfiles is the file of the profile of all ranks.
func (s *Spec) allProfiles() string { return filepath.Join(s.Profile, "all.pprof") }

// checkProfile finds out before the job begins whether its profiles can be written, and removes those of an earlier job.
func (s *Spec) checkProfile() error {
	if s.Profile == "" {
		return nil
	}
	if err := os.MkdirAll(s.Profile, 0o777); err != nil {
		return fmt.Errorf("--profile: %w", err)
	}
	for rank := range s.size() {
		if err := os.Remove(s.profileOf(rank)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("--profile: %w", err)
		}
	}
	if err := os.Remove(s.allProfiles()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("--profile: %w", err)
	}
	return nil
}

// joinProfiles makes one profile of those of all ranks, in which each sample has its rank.
func (j *job) joinProfiles() {
	if j.spec.Profile == "" || len(j.ranks) == 0 {
		return
	}
	j.sayNotWhole("--profile", func(r *remote) error { return r.profileLost })
	missing, err := j.spec.joinProfiles()
	switch {
	case err != nil:
		j.stderr.Println(fmt.Sprintf("mpirun: --profile: %v", err))
	case len(missing) == j.spec.size():
		j.stderr.Println("mpirun: --profile: no rank has a profile: are they Go programs of this library, which call Finalize?")
	default:
		j.stderr.Println(fmt.Sprintf("mpirun: the profile of all ranks is in %s: see it with go tool pprof", j.spec.allProfiles()))
		if len(missing) > 0 {
			j.stderr.Println("mpirun: ranks that are not in it, as they are no Go programs, have not called Finalize, or their host was lost: " + hang.List(missing))
		}
	}
}

func (s *Spec) joinProfiles() (missing []int, err error) {
	const together = 16 // so many are merged at a time
	var parts []*profile.Profile
	for rank := range s.size() {
		part, err := readProfile(s.profileOf(rank), rank)
		if err != nil {
			missing = append(missing, rank)
			continue
		}
		if parts = append(parts, part); len(parts) == together {
			all, err := profile.Merge(parts)
			if err != nil {
				return missing, err
			}
			parts = []*profile.Profile{all}
		}
	}
	if len(parts) == 0 {
		return missing, nil
	}
	all, err := profile.Merge(parts)
	if err != nil {
		return missing, err
	}
	file, err := os.OpenFile(s.allProfiles(), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return missing, err
	}
	return missing, errors.Join(all.Write(file), file.Close())
}

// saveProfile makes the file of a rank's profile of what comes from another host; nothing makes no file.
func saveProfile(name string, from io.Reader) (err error) {
	in := bufio.NewReader(from)
	defer func() { _, _ = io.Copy(io.Discard, in) }() // so that what follows from there can come
	if _, err := in.Peek(1); err != nil {
		return nil
	}
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	switch _, err = io.CopyN(file, in, maxProfile+1); err {
	case nil:
		err = fmt.Errorf("%s would be longer than %d MiB", filepath.Base(name), maxProfile>>20)
	case io.EOF:
		err = nil
	}
	return errors.Join(err, file.Close())
}

// readProfile reads the profile of a rank, and labels its samples. That of a rank that was killed is empty.
func readProfile(name string, rank int) (*profile.Profile, error) {
	is, err := os.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !is.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no file of a rank", name) // the open of a pipe would wait
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	p, err := profile.Parse(io.LimitReader(file, maxProfile))
	if err != nil {
		return nil, err
	}
	p.SetLabel("rank", []string{strconv.Itoa(rank)})
	return p, nil
}
