package pmi_test

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"sync"

	"github.com/sctpmpi/sctpmpi/internal/pmi"
)

// A launcher and two ranks in one process: each rank publishes an address and, after the fence, reads the other's.
func Example() {
	server, err := pmi.NewServer(pmi.Config{Size: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	var job sync.WaitGroup
	found := make([]string, 2)
	for rank := range 2 {
		ours, theirs := net.Pipe()
		job.Go(func() { server.ServeConn(rank, ours) })
		job.Go(func() {
			ctx := context.Background()
			client, err := pmi.NewClient(ctx, theirs, rank, 2)
			if err != nil {
				fmt.Println(err)
				return
			}
			_ = client.Put(ctx, "address-"+strconv.Itoa(rank), "127.0.0.1:"+strconv.Itoa(7000+rank))
			_ = client.Fence(ctx)
			found[rank], _ = client.Get(ctx, "address-"+strconv.Itoa(1-rank))
			_ = client.Finalize(ctx)
		})
	}
	job.Wait()
	fmt.Println(found)
	// Output: [127.0.0.1:7001 127.0.0.1:7000]
}
