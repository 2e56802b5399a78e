// libmicrohttpd, an HTTP server.
#include <microhttpd.h>

/// Called with a request's target before it is parsed. What it returns is the context of the calls that follow.
typedef void *(*CMicroHTTPDTarget)(void * data, const char * target, struct MHD_Connection * connection);

/// The size of a response of unknown size, and the end of such a response.
static const uint64_t cmicrohttpd_size_unknown = MHD_SIZE_UNKNOWN;
static const ssize_t cmicrohttpd_end_of_stream = MHD_CONTENT_READER_END_OF_STREAM;

/// Starts a server on a socket that listens, with a thread of its own, over TLS where a certificate and a key are given.
/// Starting is variadic to Swift.
static inline struct MHD_Daemon *cmicrohttpd_start(
    int listener, unsigned int connections, unsigned int idle_seconds, size_t memory,
    const char *certificate, const char *key,
    MHD_AcceptPolicyCallback accept, CMicroHTTPDTarget target, MHD_AccessHandlerCallback handle, MHD_RequestCompletedCallback completed,
    MHD_NotifyConnectionCallback notify, void *data) {
  struct MHD_OptionItem tls[] = {
      {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)certificate},
      {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)key},
      // Older versions of TLS are broken (RFC 8996).
      {MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)"NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2"},
      {MHD_OPTION_END, 0, NULL}};
  if (!certificate || !key) tls[0].option = MHD_OPTION_END;
  return MHD_start_daemon(
      MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | (certificate && key ? MHD_USE_TLS : 0), 0,
      accept, data, handle, data,
      MHD_OPTION_LISTEN_SOCKET, listener,
      MHD_OPTION_CONNECTION_LIMIT, connections,
      MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory,
      MHD_OPTION_URI_LOG_CALLBACK, target, data,
      MHD_OPTION_NOTIFY_COMPLETED, completed, data,
      MHD_OPTION_NOTIFY_CONNECTION, notify, data,
      MHD_OPTION_ARRAY, tls,
      MHD_OPTION_END);
}

/// The descriptor of a connection; -1 for none.
static inline int cmicrohttpd_descriptor(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? (int)info->connect_fd : -1;
}

/// Who is at the other end of a connection; null where nobody knows.
static inline const struct sockaddr *cmicrohttpd_peer(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  return info ? info->client_addr : (const struct sockaddr *)0;
}
