// libcurl: HTTP. Its options are variadic functions, which Swift does not see.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

static inline CURLcode ccurl_set_number(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_text(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_bytes(CURL *handle, CURLoption option, const void *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_headers(CURL *handle, struct curl_slist *value) {
  return curl_easy_setopt(handle, CURLOPT_HTTPHEADER, value);
}

static inline CURLcode ccurl_set_writer(CURL *handle, curl_write_callback value) {
  return curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, value);
}

static inline CURLcode ccurl_set_reader(CURL *handle, curl_read_callback value) {
  return curl_easy_setopt(handle, CURLOPT_READFUNCTION, value);
}

static inline CURLcode ccurl_set_recipients(CURL *handle, struct curl_slist *value) {
  return curl_easy_setopt(handle, CURLOPT_MAIL_RCPT, value);
}

static inline CURLcode ccurl_set_opener(CURL *handle, curl_opensocket_callback value) {
  return curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, value);
}

/// The socket of a connection, or CURL_SOCKET_BAD.
static inline curl_socket_t ccurl_socket(CURL *handle) {
  curl_socket_t value = CURL_SOCKET_BAD;
  return curl_easy_getinfo(handle, CURLINFO_ACTIVESOCKET, &value) == CURLE_OK ? value : CURL_SOCKET_BAD;
}

static inline long ccurl_number(CURL *handle, CURLINFO information) {
  long value = 0;
  return curl_easy_getinfo(handle, information, &value) == CURLE_OK ? value : 0;
}

static inline curl_off_t ccurl_offset(CURL *handle, CURLINFO information) {
  curl_off_t value = 0;
  return curl_easy_getinfo(handle, information, &value) == CURLE_OK ? value : 0;
}

static inline const char *ccurl_text(CURL *handle, CURLINFO information) {
  char *value = NULL;
  return curl_easy_getinfo(handle, information, &value) == CURLE_OK ? value : NULL;
}

static inline long ccurl_basic(void) { return (long)CURLAUTH_BASIC; }
static inline long ccurl_digest(void) { return (long)CURLAUTH_DIGEST; }
static inline long ccurl_all_tls(void) { return (long)CURLUSESSL_ALL; }
static inline long ccurl_no_tls(void) { return (long)CURLUSESSL_NONE; }
static inline size_t ccurl_read_abort(void) { return CURL_READFUNC_ABORT; }
