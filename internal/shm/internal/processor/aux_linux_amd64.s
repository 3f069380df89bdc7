#include "textflag.h"

// func hasAux() bool
TEXT ·hasAux(SB), NOSPLIT, $0-1
	MOVL $0x80000000, AX
	XORL CX, CX
	CPUID
	MOVB $0, ret+0(FP)
	CMPL AX, $0x80000001
	JCS  done
	MOVL $0x80000001, AX
	XORL CX, CX
	CPUID
	SHRL $27, DX
	ANDL $1, DX
	MOVB DX, ret+0(FP)
done:
	RET

// func aux() uint32
TEXT ·aux(SB), NOSPLIT, $0-4
	RDTSCP
	MOVL CX, ret+0(FP)
	RET
