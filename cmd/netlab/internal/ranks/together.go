package ranks

// together runs functions at the same time. It returns when all have ended or one has failed; what the others do then comes
// to nothing, as the rank leaves the job.
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
