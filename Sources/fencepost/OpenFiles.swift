import Glibc

/// How many files this process may have open.
enum OpenFiles {
  /// Allows as many as the system lets anybody allow themselves. Traces that are merged are all open at once, and what
  /// shells give by default is little.
  static func allowAll() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur < limit.rlim_max
    else { return }
    limit.rlim_cur = limit.rlim_max
    _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}
