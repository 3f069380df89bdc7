package mpi

import "github.com/sctpmpi/sctpmpi/mpi/rpi"

// SendData is Send of Data.
func SendData(c *Comm, d Data, dest, tag int) error {
	return public(c.core().Send("mpi.SendData", rpi.Standard, d.memory(), dest, tag))
}

// SsendData is Ssend of Data.
func SsendData(c *Comm, d Data, dest, tag int) error {
	return public(c.core().Send("mpi.SsendData", rpi.Synchronous, d.memory(), dest, tag))
}

// BsendData is Bsend of Data.
func BsendData(c *Comm, d Data, dest, tag int) error {
	return public(c.core().Send("mpi.BsendData", rpi.Buffered, d.memory(), dest, tag))
}

// IsendData is Isend of Data, of which nothing must be written to until the request has completed.
func IsendData(c *Comm, d Data, dest, tag int) (*Request, error) {
	return newRequest(c.core().Isend("mpi.IsendData", rpi.Standard, d.memory(), dest, tag))
}

// IssendData is Issend of Data.
func IssendData(c *Comm, d Data, dest, tag int) (*Request, error) {
	return newRequest(c.core().Isend("mpi.IssendData", rpi.Synchronous, d.memory(), dest, tag))
}

// RecvData is Recv into Data. A message that is shorter leaves the last elements as they are. Status.Count is in elements of the
// slice that the Data is of; of Fields with several names in elements that have all of these.
func RecvData(c *Comm, d Data, source, tag int) (Status, error) {
	return outcome(c.core().Recv("mpi.RecvData", d.memory(), source, tag))
}

// IrecvData is Irecv into Data. What has been received is there when Wait or Test, or one of their like, has returned the
// outcome of the request, and not before.
func IrecvData(c *Comm, d Data, source, tag int) (*Request, error) {
	return newRequest(c.core().Irecv("mpi.IrecvData", d.memory(), source, tag))
}

// SendrecvData is Sendrecv with Data. That the two do not overlap is checked only if both are one piece of memory.
func SendrecvData(c *Comm, send Data, dest, sendTag int, recv Data, source, recvTag int) (Status, error) {
	return outcome(c.core().Sendrecv("mpi.SendrecvData", send.memory(), dest, sendTag, recv.memory(), source, recvTag))
}

// MrecvData is Mrecv into Data.
func MrecvData(m *Message, d Data) (Status, error) {
	return outcome(m.core().Recv("mpi.MrecvData", d.memory()))
}

// ImrecvData is Imrecv into Data. See IrecvData.
func ImrecvData(m *Message, d Data) (*Request, error) {
	return newRequest(m.core().Irecv("mpi.ImrecvData", d.memory()))
}

// SendDataInit is SendInit of Data: each run sends what the Data holds when it is started.
func SendDataInit(c *Comm, d Data, dest, tag int) (*Request, error) {
	return newRequest(c.core().SendInit("mpi.SendDataInit", rpi.Standard, d.memory(), dest, tag))
}

// RecvDataInit is RecvInit into Data. See IrecvData.
func RecvDataInit(c *Comm, d Data, source, tag int) (*Request, error) {
	return newRequest(c.core().RecvInit("mpi.RecvDataInit", d.memory(), source, tag))
}
