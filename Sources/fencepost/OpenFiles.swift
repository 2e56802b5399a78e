import Glibc

/// How many files this process may have open.
enum OpenFiles {
  /// Raises the limit to the system's maximum. Merged traces are all open at once, and shells give by default is
  /// little.
  static func allowAll() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur < limit.rlim_max
    else { return }
    limit.rlim_cur = limit.rlim_max
    _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}
