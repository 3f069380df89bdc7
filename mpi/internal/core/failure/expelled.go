package failure

import (
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// A process can lose its job without Finalize or Abort. Then all its operations fail, those under way too, with an error that says why.

// orphan is why a process leaves its job when the launcher has ended before the job, for instance because it was killed. No launcher
// would end this process any more if a peer fails.
const orphan = "the launcher of this job has ended before the job; this process has left it"

// outcast is why it leaves when a peer counts it as dead. The others may have shrunk their communicators: if this process went on, it
// would take them for dead in turn, and could end their job.
const outcast = "the other ranks have taken this process for dead, as it did not answer for SCTPMPI_PEER_TIMEOUT, and may go on without it; " +
	"this process has left the job. It was stopped, or the network was cut: a longer SCTPMPI_PEER_TIMEOUT bridges longer gaps"

// Orphaned is called when the launcher has ended before the job.
func (p *Process) Orphaned(error) {
	if p.expel(orphan) {
		p.depart()
	}
}

// castOut is called when a peer counts this process as dead, with any lock held.
func (p *Process) castOut() {
	if p.expel(outcast) {
		go p.depart()
	}
}

// expel notes why the process is not in its job any more. It reports false if it has left already. depart must follow.
func (p *Process) expel(why string) bool {
	return !p.Left() && p.expelled.CompareAndSwap(nil, &why)
}

// depart ends all operations. No lock is held.
func (p *Process) depart() {
	p.Transport.Kill()
	for _, s := range p.all() {
		s.end()
	}
}

// Expelled reports whether the process has lost its job.
func (p *Process) Expelled() bool { return p.expelled.Load() != nil }

// Outside is the error of an operation of a process that has been expelled.
func (p *Process) Outside(op string) *mpierr.Error {
	return mpierr.Invalid(op, rpi.ErrOther, "%s", *p.expelled.Load())
}
