// The resolver of the C library, whose functions are macros to Swift.
#include <sys/types.h>
#include <netinet/in.h>
#include <arpa/nameser.h>
#include <resolv.h>

static inline int cresolver_query(const char *name, int type, unsigned char *answer, int size) {
  return res_query(name, ns_c_in, type, answer, size);
}
