// Way prints which functions of the library a short message calls on its way: down, in the goroutine
// that sends it, and up, in the one that waits for it, from the look at the network that finds it.
// It shows the functions in which the message goes from one part to the next, and those that have
// called them; not what these call beside.
package main

import (
	"fmt"
	"log"
	"slices"
	"strings"

	"github.com/sctpmpi/sctpmpi/docs/testdata/way/calls"
	"github.com/sctpmpi/sctpmpi/mpi"
)

// Where the message goes from one part to the next.
var (
	downwards = []string{
		"Queue.push",         // the progression layer has queued its frame
		"stream.push",        // the association has queued it
		"packetBuilder.fill", // it is in a packet
		"writer.call",        // the packet goes to the kernel
	}
	upwards = []string{
		"native.attempt",   // the packet comes from the kernel
		"Reassembly.Data",  // its chunk is taken in
		"Endpoint.Poll",    // it is an event
		"Engine.Arrive",    // it is matched
		"Transport.piece",  // it is copied to the user
		"Request.Complete", // the receive is complete
	}
)

// rounds is how many messages are traced. What is shown is the most frequent way of those that one
// goroutine has brought all the way: on a busy machine the event loop may take one over, a timer may
// run out meanwhile, or something else arrive.
const rounds = 400

func main() {
	if err := mpi.RunLocal(2, run, mpi.WithSharedMemory("off")); err != nil {
		log.Fatal(err)
	}
}

func run(world *mpi.Comm) error {
	buf := make([]byte, 8)
	var down, up [][]calls.Call
	for range rounds {
		var err error
		if world.Rank() == 0 {
			if _, err = mpi.Recv(world, buf, 1, 1); err != nil { // rank 1 is about to wait
				return err
			}
			down = append(down, calls.Trace(func() { err = mpi.Send(world, buf, 1, 0) }))
		} else {
			err = mpi.Send(world, buf, 0, 1)
		}
		if err == nil && world.Rank() == 1 {
			_, err = mpi.Recv(world, buf, 0, 0)
		}
		if err != nil {
			return err
		}
	}
	if err := world.Barrier(); err != nil {
		return err
	}
	for range rounds {
		var err error
		if world.Rank() == 0 {
			err = mpi.Send(world, buf, 1, 0)
		} else {
			up = append(up, calls.Trace(func() { _, err = mpi.Recv(world, buf, 0, 0) }))
		}
		if err == nil {
			err = world.Barrier()
		}
		if err != nil {
			return err
		}
	}
	if world.Rank() == 0 {
		show("Down", mostFrequent(down, downwards))
	}
	if err := world.Barrier(); err != nil {
		return err
	}
	if world.Rank() == 1 {
		for i := range up {
			up[i] = lastLook(up[i])
		}
		show("Up", mostFrequent(up, upwards))
	}
	return world.Barrier()
}

// lastLook are the calls from the last look at the network on.
func lastLook(all []calls.Call) []calls.Call {
	for i, c := range slices.Backward(all) {
		if c.Function == "network.Poll" {
			return all[i:]
		}
	}
	return nil
}

// mostFrequent returns the most frequent of the ways that pass all of certain functions.
func mostFrequent(all [][]calls.Call, through []string) (most []calls.Call) {
	count := make(map[string]int)
	for _, one := range all {
		way := stops(one, through)
		name := fmt.Sprint(way)
		if !passes(way, through) {
			continue
		}
		if count[name]++; count[name] > count[fmt.Sprint(most)] {
			most = way
		}
	}
	return most
}

// passes reports whether a way has all of certain functions.
func passes(way []calls.Call, through []string) bool {
	return !slices.ContainsFunc(through, func(function string) bool {
		return !slices.ContainsFunc(way, func(c calls.Call) bool { return c.Function == function })
	})
}

// stops are the calls of certain functions, and those within which they are made, each once.
func stops(all []calls.Call, through []string) (way []calls.Call) {
	var within []calls.Call // calls that have not returned
	for _, c := range all {
		for len(within) > 0 && within[len(within)-1].Depth >= c.Depth {
			within = within[:len(within)-1]
		}
		within = append(within, c)
		if !slices.Contains(through, c.Function) {
			continue
		}
		for _, w := range within {
			w.Depth = 0
			if !slices.Contains(way, w) {
				way = append(way, w)
			}
		}
	}
	return way
}

// show prints a list of functions, by files.
func show(name string, way []calls.Call) {
	fmt.Printf("**%s**, %d functions:\n\n", name, len(way))
	for i := 0; i < len(way); {
		var functions []string
		file := way[i].File
		for ; i < len(way) && way[i].File == file; i++ {
			functions = append(functions, "`"+way[i].Function+"`")
		}
		fmt.Printf("- [%s](../%s): %s\n", file, file, strings.Join(functions, ", "))
	}
	fmt.Println()
}
