// libcrypt, hashes of passwords: crypt(3), crypt_gensalt(3).
#include <crypt.h>
