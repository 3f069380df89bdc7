package mpi

import "github.com/sctpmpi/sctpmpi/mpi/internal/core"

// Hooks are what a generalized request calls; each may be nil. They must not use the request.
type Hooks struct {
	// Query returns the outcome: what Wait and Test return. It is called once, when the operation has completed.
	Query func() (Status, error)
	// Cancel is called by Request.Cancel, which returns its error. completed: the operation has completed, and it is too
	// late. Query can say Cancelled then.
	Cancel func(completed bool) error
	// Free is called when the outcome has been returned.
	Free func()
}

// Generalized returns a request for an operation of the program's own, so that it can be waited for together with others
// (MPI_GREQUEST_START; MPI 4.1, section 13.2). A goroutine of the program carries the operation out, and ends it with
// Request.Complete.
func (c *Comm) Generalized(h Hooks) (*Request, error) {
	hooks := core.Hooks{Cancel: h.Cancel, Free: h.Free}
	if query := h.Query; query != nil {
		hooks.Query = func() (core.Status, error) {
			status, err := query()
			return core.Status(status), err
		}
	}
	return newRequest(c.core().Generalized("mpi.Generalized", hooks))
}

// Complete says that the operation of a generalized request has completed (MPI_GREQUEST_COMPLETE; section 13.2). For
// other requests, and the second time, it is ErrRequest.
func (r *Request) Complete() error { return public(r.core().Complete("mpi.Complete")) }
