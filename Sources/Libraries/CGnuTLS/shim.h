// GnuTLS: keys and certificates.
#include <gnutls/abstract.h>
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>

/// The size of a key on the curve P-256. A macro.
static inline unsigned int cgnutls_p256(void) { return GNUTLS_CURVE_TO_BITS(GNUTLS_ECC_CURVE_SECP256R1); }

/// Frees what the library allocated. A variable that points to the function.
static inline void cgnutls_free(void *bytes) { gnutls_free(bytes); }

/// The purpose of a server's certificate. A macro.
static inline const char *cgnutls_server_purpose(void) { return GNUTLS_KP_TLS_WWW_SERVER; }
