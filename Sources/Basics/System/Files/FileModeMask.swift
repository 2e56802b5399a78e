/// The permissions that new files of this process do not get, as bits of a mode (`mode_t`).
public enum FileModeMask {
  /// This process' mask, as umask(2) gives it, but without changing it for a moment: other threads may create
  /// files then. Source: proc_pid_status(5).
  ///
  /// - Returns: The mask; 0077 if the system does not tell it.
  public static var current: UInt32 {
    guard let status = try? WholeFile.read("/proc/self/status") else { return 0o077 }
    let field = "Umask:"
    let line = String(decoding: status, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix(field) }
    let digits = line?.dropFirst(field.count).drop { $0 == "\t" || $0 == " " }
    return digits.flatMap { UInt32($0, radix: 8) } ?? 0o077
  }
}
