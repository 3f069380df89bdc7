package ranks

// together calls functions at the same time. It returns nil when all have ended, or the first error at once. After an error
// other functions may wait for messages that never come, until the rank leaves the job: so this is no errgroup.Group, which
// waits for all.
func together(work ...func() error) error {
	ended := make(chan error, len(work))
	for _, f := range work {
		go func() { ended <- f() }()
	}
	for range work {
		if err := <-ended; err != nil {
			return err
		}
	}
	return nil
}
