import Glibc

/// The limit of open files of this process.
enum OpenFiles {
  /// Raises the limit to the system's maximum. Merged traces are all open at once, and the usual limit is
  /// low.
  static func allowAll() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur < limit.rlim_max
    else { return }
    limit.rlim_cur = limit.rlim_max
    _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}
