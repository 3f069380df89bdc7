package mpi

// SendObject sends any Go value that the codec can encode, such as a string, a
// map, or a struct with slices, to the rank dest. RecvObject receives it. It
// returns when Send would: short objects are buffered at dest, long ones wait
// for their receive.
//
// The codec is Gob unless the call names another, of which there is one at
// most; sender and receiver must name the same:
//
//	err := mpi.SendObject(world, words, 1, 7)
//	err := mpi.SendObject(world, words, 1, 7, mpi.JSON)
//
// Errors: ErrType if the object cannot be encoded, which wraps the codec's
// error; ErrArg for the codec; those of Send.
func SendObject[T any](c *Comm, object T, dest, tag int, codec ...Codec) error {
	const op = "mpi.SendObject"
	by, err := codecOf(op, codec)
	if err != nil {
		return err
	}
	message, err := encode(op, by, &object)
	if err != nil {
		return err
	}
	return named(op, Send(c, message, dest, tag))
}

// RecvObject receives what SendObject has sent and decodes it as a T. From
// ProcNull comes the zero value. The Status counts bytes.
//
// Errors: ErrType if the message is no object, if the sender has used another
// codec, or if the object cannot be decoded as a T, for instance because it is
// damaged; then it wraps the codec's error, and the message is gone. ErrArg for
// the codec; those of RecvSlice. The sender decides how much memory an object
// takes.
func RecvObject[T any](c *Comm, source, tag int, codec ...Codec) (T, Status, error) {
	const op = "mpi.RecvObject"
	var none T
	by, err := codecOf(op, codec)
	if err != nil {
		return none, emptyStatus, err
	}
	message, status, err := RecvSlice[object](c, source, tag)
	if err != nil || status.Source == ProcNull {
		return none, status, named(op, err)
	}
	v, err := decode[T](op, by, message, sender(status))
	return v, status, err
}

// BcastObject returns root's object on all ranks: root itself gets back what it
// has passed, others a copy. The object of other ranks is not used. Collective.
//
// It is BcastSlice of the encoded object. If root cannot encode it all ranks
// fail with ErrType. All ranks must use the same codec; a rank that cannot
// decode the object fails alone. Other errors are those of BcastSlice.
func BcastObject[T any](c *Comm, object T, root int, codec ...Codec) (T, error) {
	const op = "mpi.BcastObject"
	by, mine := codecOf(op, codec)
	message, mine := encodeIf(c.Rank() == root, op, by, &object, mine)
	message, err := bcastSlice(c, op, message, mine, root)
	if err != nil || c.Rank() == root {
		return zeroOn(err, object), named(op, err)
	}
	return decode[T](op, by, message, ranked(root))
}

// GatherObjects returns the objects of all ranks at root, in the order of ranks,
// and nil elsewhere. Root's own is what it has passed, others are copies.
// Collective.
//
// It is GatherSlices of the encoded objects. If one cannot be encoded all ranks
// fail with ErrType; if one cannot be decoded, or has another codec, root does.
// Other errors are those of GatherSlices.
func GatherObjects[T any](c *Comm, object T, root int, codec ...Codec) ([]T, error) {
	const op = "mpi.GatherObjects"
	by, mine := codecOf(op, codec)
	message, mine := encodeIf(c.Rank() != root, op, by, &object, mine)
	all, err := gatherSlices(c, op, message, mine, root)
	if err != nil || c.Rank() != root {
		return nil, named(op, err)
	}
	return decodeAll(c, op, by, all, object)
}

// AllgatherObjects returns the objects of all ranks, in the order of ranks, on
// all of them: GatherObjects to every rank. Collective.
//
// It is AllgatherSlices of the encoded objects. If one cannot be encoded all
// ranks fail with ErrType; so do those that cannot decode one. Other errors are
// those of AllgatherSlices.
func AllgatherObjects[T any](c *Comm, object T, codec ...Codec) ([]T, error) {
	const op = "mpi.AllgatherObjects"
	by, mine := codecOf(op, codec)
	message, mine := encodeIf(true, op, by, &object, mine)
	all, err := allgatherSlices(c, op, message, mine)
	if err != nil {
		return nil, named(op, err)
	}
	return decodeAll(c, op, by, all, object)
}

// ScatterObjects returns on each rank the object at its place in root's objects,
// of which there are as many as ranks (else ErrCount). Root's own is not copied.
// The objects of other ranks are not used. Collective.
//
// It is ScatterSlices of the encoded objects. If root cannot encode one all
// ranks fail with ErrType; a rank that cannot decode its own fails alone. Other
// errors are those of ScatterSlices.
func ScatterObjects[T any](c *Comm, objects []T, root int, codec ...Codec) (T, error) {
	const op = "mpi.ScatterObjects"
	by, mine := codecOf(op, codec)
	var messages [][]object
	if c.Rank() == root {
		messages, mine = encodeAll(c, op, by, objects, mine)
	}
	message, err := scatterSlices(c, op, messages, mine, root)
	switch {
	case err != nil:
		return *new(T), named(op, err)
	case c.Rank() == root:
		return objects[root], nil
	}
	return decode[T](op, by, message, ranked(root))
}

// AlltoallObjects sends object i of each rank to rank i and returns what this
// rank has got, in the order of the senders. There are as many objects as ranks
// (else ErrCount). A rank's object for itself is not copied. Collective.
//
// It is AlltoallSlices of the encoded objects. If one cannot be encoded all
// ranks fail with ErrType; a rank that cannot decode one fails alone. Other
// errors are those of AlltoallSlices.
func AlltoallObjects[T any](c *Comm, objects []T, codec ...Codec) ([]T, error) {
	const op = "mpi.AlltoallObjects"
	by, mine := codecOf(op, codec)
	messages, mine := encodeAll(c, op, by, objects, mine)
	all, err := alltoallSlices(c, op, messages, mine)
	if err != nil {
		return nil, named(op, err)
	}
	return decodeAll(c, op, by, all, objects[c.Rank()])
}

// encodeIf encodes *v if this rank's object is needed, and if it has not failed,
// with err, before.
func encodeIf[T any](needed bool, op string, by Codec, v *T, err error) ([]object, error) {
	if err != nil || !needed {
		return nil, err
	}
	return encode(op, by, v)
}

// encodeAll encodes the objects for all ranks but this one.
func encodeAll[T any](c *Comm, op string, by Codec, objects []T, err error) ([][]object, error) {
	messages := make([][]object, len(objects))
	for i := range objects {
		if messages[i], err = encodeIf(i != c.Rank(), op, by, &objects[i], err); err != nil {
			break
		}
	}
	return messages, err
}

// decodeAll decodes the objects of all ranks. That of this rank is own.
func decodeAll[T any](c *Comm, op string, by Codec, messages [][]object, own T) (_ []T, err error) {
	all := make([]T, len(messages))
	for i, message := range messages {
		if i == c.Rank() {
			all[i] = own
		} else if all[i], err = decode[T](op, by, message, ranked(i)); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// zeroOn is v, or the zero value after an error.
func zeroOn[T any](err error, v T) T {
	if err != nil {
		return *new(T)
	}
	return v
}
