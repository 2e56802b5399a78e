// Nettle: digests, HMAC, keys from secrets, AES-GCM, and comparing in constant time.
#include <nettle/gcm.h>
#include <nettle/hkdf.h>
#include <nettle/hmac.h>
#include <nettle/memops.h>
#include <nettle/sha2.h>

// HKDF takes the functions of any HMAC, by casts that Swift does not have.
static inline void cnettle_hkdf_sha256(size_t salt_size, const uint8_t *salt, size_t secret_size, const uint8_t *secret,
                                       size_t info_size, const uint8_t *info, size_t size, uint8_t *key) {
  struct hmac_sha256_ctx context;
  uint8_t extracted[SHA256_DIGEST_SIZE];
  hmac_sha256_set_key(&context, salt_size, salt);
  hkdf_extract(&context, (nettle_hash_update_func *)hmac_sha256_update, (nettle_hash_digest_func *)hmac_sha256_digest,
               sizeof extracted, secret_size, secret, extracted);
  hmac_sha256_set_key(&context, sizeof extracted, extracted);
  hkdf_expand(&context, (nettle_hash_update_func *)hmac_sha256_update, (nettle_hash_digest_func *)hmac_sha256_digest,
              sizeof extracted, info_size, info, size, key);
}
