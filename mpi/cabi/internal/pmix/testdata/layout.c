/* Prints what is to be the same in api.h and in the library's headers, of which one has been included. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define NUMBER(n) printf(#n " %ld\n", (long)(n));
#define TEXT(t) printf(#t " %s\n", t);

int main(void)
{
	NUMBER(sizeof(pmix_proc_t)) NUMBER(offsetof(pmix_proc_t, rank)) NUMBER(sizeof(pmix_nspace_t)) NUMBER(sizeof(pmix_rank_t))
	NUMBER(sizeof(pmix_value_t)) NUMBER(sizeof(pmix_data_type_t)) NUMBER(offsetof(pmix_value_t, data))
	NUMBER(offsetof(pmix_value_t, data.string)) NUMBER(offsetof(pmix_value_t, data.uint32)) NUMBER(offsetof(pmix_value_t, data.flag))
	NUMBER(sizeof(pmix_info_t)) NUMBER(offsetof(pmix_info_t, flags)) NUMBER(offsetof(pmix_info_t, value))
	NUMBER(sizeof(pmix_status_t)) NUMBER(sizeof(pmix_scope_t))
	NUMBER(PMIX_SUCCESS) NUMBER(PMIX_ERR_TYPE_MISMATCH) NUMBER(PMIX_ERR_NOT_FOUND) NUMBER(PMIX_ERR_LOST_CONNECTION)
	NUMBER(PMIX_BOOL) NUMBER(PMIX_STRING) NUMBER(PMIX_UINT32) NUMBER(PMIX_GLOBAL) NUMBER(PMIX_RANK_WILDCARD)
	TEXT(PMIX_COLLECT_DATA) TEXT(PMIX_IMMEDIATE) TEXT(PMIX_JOB_SIZE)
	return 0;
}
