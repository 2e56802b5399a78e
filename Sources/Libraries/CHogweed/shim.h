// Hogweed, Nettle's part for public keys: points of elliptic curves and signatures. Its numbers are GMP's.
#include <nettle/bignum.h>
#include <nettle/ecc-curve.h>
#include <nettle/ecc.h>
#include <nettle/ecdsa.h>
