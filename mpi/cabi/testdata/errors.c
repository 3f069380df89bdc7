/* Error handlers, codes and texts. */
#include "check.h"
#include <setjmp.h>

static int called, lastCode;
static MPI_Comm lastComm;
static jmp_buf back;

static void handler(MPI_Comm *c, int *code, ...) {
	called++;
	lastComm = *c;
	lastCode = *code;
}
static void leaves(MPI_Comm *c, int *code, ...) {
	(void)c, (void)code;
	longjmp(back, 1);
}

static void handlers(void) {
	MPI_Comm c, d;
	MPI_Errhandler h, got;
	int x = 0;
	OK(MPI_Comm_dup(MPI_COMM_WORLD, &c));
	OK(MPI_Comm_create_errhandler(handler, &h));
	OK(MPI_Comm_set_errhandler(c, h));
	OK(MPI_Errhandler_free(&h));
	CHECK(h == MPI_ERRHANDLER_NULL);
	FAILS(MPI_ERR_RANK, MPI_Send(&x, 1, MPI_INT, size, 0, c));
	CHECK(called == 1 && lastComm == c);
	OK(MPI_Comm_dup(c, &d)); /* it inherits the handler */
	FAILS(MPI_ERR_TAG, MPI_Send(&x, 1, MPI_INT, 0, -5, d));
	CHECK(called == 2 && lastComm == d);
	OK(MPI_Comm_get_errhandler(d, &got));
	OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, got));
	OK(MPI_Errhandler_free(&got));
	FAILS(MPI_ERR_COMM, MPI_Comm_size(MPI_COMM_NULL, &x));
	CHECK(called == 3 && lastComm == MPI_COMM_SELF);
	MPI_Comm_call_errhandler(c, MPI_ERR_OTHER);
	CHECK(called == 4 && lastCode == MPI_ERR_OTHER);
	int code = MPI_Send(&x, 1, MPI_INT, size, 0, MPI_COMM_WORLD); /* a code of an error of another communicator */
	CHECK(called == 4);
	OK(MPI_Comm_call_errhandler(c, code));
	CHECK(called == 5 && lastCode == code && lastComm == c);
	code = MPI_Group_free(&(MPI_Group){MPI_GROUP_NULL}); /* and of none: MPI_COMM_SELF has the handler */
	CHECK(called == 6 && lastComm == MPI_COMM_SELF);
	OK(MPI_Comm_call_errhandler(c, code));
	CHECK(called == 7 && lastCode == code && lastComm == c);
	OK(MPI_Comm_call_errhandler(MPI_COMM_WORLD, code)); /* it returns errors */
	CHECK(called == 7);
	OK(MPI_Comm_create_errhandler(leaves, &h));
	OK(MPI_Comm_set_errhandler(c, h));
	if (!setjmp(back)) {
		MPI_Send(&x, 1, MPI_INT, size, 0, c);
		CHECK(!"the handler leaves");
	}
	OK(MPI_Comm_get_errhandler(MPI_COMM_WORLD, &got));
	CHECK(got == MPI_ERRORS_RETURN);
	OK(MPI_Comm_free(&c));
	OK(MPI_Comm_free(&d));
}

static void own(void) {
	int class, code, of, length;
	char text[MPI_MAX_ERROR_STRING];
	OK(MPI_Add_error_class(&class));
	OK(MPI_Add_error_code(class, &code));
	CHECK(class > MPI_ERR_LASTCODE && code > class);
	OK(MPI_Add_error_string(code, "a text of the program"));
	OK(MPI_Error_class(code, &of));
	CHECK(of == class);
	OK(MPI_Error_string(code, text, &length));
	CHECK(!strcmp(text, "a text of the program") && length == (int)strlen(text));
	OK(MPI_Error_string(MPI_SUCCESS, text, &length));
	for (int c = 1; c <= 53; c++) { /* the ABIs have all these numbers */
		OK(MPI_Error_string(c, text, &length));
		OK(MPI_Error_class(c, &of));
		CHECK(of == c && length > 0);
	}
	OK(MPI_Error_class(MPI_T_ERR_INVALID_HANDLE, &of));
	CHECK(of == MPI_T_ERR_INVALID_HANDLE);
	OK(MPI_Error_string(MPI_T_ERR_PVAR_NO_ATOMIC, text, &length));
	CHECK(length > 0);
	OK(MPI_Remove_error_string(code));
	OK(MPI_Remove_error_code(code));
	OK(MPI_Remove_error_class(class));
}

int main(int argc, char **argv) {
	begin(&argc, &argv);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	handlers();
	own();
	end();
}
