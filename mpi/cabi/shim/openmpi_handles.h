/* Handles of Open MPI's ABI. Those of predefined objects are the addresses of objects, of which a program that is not position
   independent has copies: the dynamic linker knows where. Others are the canonical ones of 31 bits, with a bit that no address has. */

/* The kinds of handles, for Fortran, in which they are numbered anew. */
enum { OF_COMM, OF_GROUP, OF_WIN, OF_FILE, OF_SESSION, OF_MESSAGE, OF_INFO, OF_ERRHANDLER, OF_REQUEST, OF_OP, OF_TYPE };

/* NO_HANDLE is set in what is no handle of this ABI: Go looks whether it is one of another. */
#define MADE      ((uintptr_t)1 << 62)
#define NO_HANDLE ((uintptr_t)1 << 63)
enum { FIRST_MADE = 1 << 27, PLACES = 512, NUMBERS = 0x300 };

/* Where predefined handles are found: by the address, in a table with empty places, and by the canonical number. */
static struct {
	uintptr_t address, number;
} by_address[PLACES];
static const void *by_number[NUMBERS];
/* The numbers in Fortran, by the canonical ones, and the other way round by kind. */
static const struct predefined *fortran_of[NUMBERS];
static unsigned short of_fortran[OF_TYPE + 1][NUMBERS];

static inline unsigned place(uintptr_t address) { return (unsigned)((address >> 3) * 0x9e3779b97f4a7c15u >> 55); }

__attribute__((noinline)) static uintptr_t handle_in(const void *handle) {
	uintptr_t h = (uintptr_t)handle;
	if (h >> 31 == MADE >> 31 && (h & INT32_MAX) >= FIRST_MADE) return h & INT32_MAX;
	for (unsigned i = place(h); by_address[i].address; i = (i + 1) % PLACES)
		if (by_address[i].address == h) return by_address[i].number;
	return h ? h | NO_HANDLE : 0;
}

static inline void *handle_out(uintptr_t h) {
	if (h >= FIRST_MADE) return (void *)(h | MADE);
	return (void *)(uintptr_t)(h < NUMBERS ? by_number[h] : NULL);
}
