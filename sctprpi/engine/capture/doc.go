// Package capture writes the packets of an SCTP engine that runs over UDP
// (RFC 6951) to a pcapng file, for Wireshark and tshark to take apart. It is for
// programs and tests that use package engine.
//
// The engine sees UDP payloads, a capture file holds network packets: each is
// written behind an IPv4 or IPv6 header and a UDP header made up from its
// addresses. Hop limit 64, no fragmentation, whatever the network did.
//
// # Reading
//
// Wireshark takes UDP port 9899 for SCTP by itself. For any other port say so:
//
//	tshark -r run.pcapng -d udp.port==5000,sctp -o sctp.checksum:"CRC 32c"
//
// or use "Decode As…". The second option verifies the packets' checksums. The
// direction of a packet is in frame.packet_flags_direction, 1 for received and
// 2 for sent; the number of packets lost before it in frame.drop_count.
//
// # What is kept, and when
//
// Packets wait in memory, at most Config.Buffer bytes of them, and a goroutine
// writes them: 256 KiB at a time, and in any case 200 ms after they came. A
// process that is killed leaves a file that is good up to the last write; the
// kill may cut the last block of it, which readers report and step over.
// Nothing is forced to the medium: a crash of the machine may take more.
//
// When the disk cannot follow, packets are lost and the file says how many.
// When it is full, the capture stops, the file is cut back to its last whole
// packet, and Close returns the error. The protocol is never held up.
//
// A file made by Create is one of two: at half of Config.MaxBytes it is renamed
// to path+".old", in place of the one before, and begun anew. So the disk holds
// the latest traffic, which is what one wants of a job that fails in its
// eighteenth hour. Both can be read at once, for pcapng files may be joined:
//
//	cat run.pcapng.old run.pcapng > joined.pcapng
//
// A capture holds what users send, in the clear: its file is made for its owner
// alone.
//
// # Why no library
//
// github.com/gopacket/gopacket/pcapgo would add 1.8 MB to every program that the
// engine is linked into, doubling a small one, and 0.5 ms to its start, for its
// tables of protocols; and it allocates for each packet. The three kinds of
// blocks that are written here take a page.
package capture
