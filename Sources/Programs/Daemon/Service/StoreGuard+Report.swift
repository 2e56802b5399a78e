public import FencepostConfiguration
import FencepostSystem
import Glibc

/// What holds of a person's guarded mode.
public struct GuardReport: Hashable, Sendable {
  /// How far the store is; `nil` if it is not guarded.
  public var state: GuardedStore.State?
  /// The path that the store had, and will have again.
  public var origin: String?
  /// Each thing that does not hold, with what to do.
  public var problems: [String] = []
}

extension StoreGuard {
  /// Looks at what everybody may see: folders, the program, and the socket.
  ///
  /// - Parameter program: The path of the program that opens the store.
  public func report(program: String) -> GuardReport {
    let record = place.record()
    var report = GuardReport(state: record?.state, origin: record?.origin)
    guard let record else {
      if hasRemains { report.problems.append("\(place.vault) has files that were left; move them away") }
      return report
    }
    let again = "run 'sudo fencepost guard enable --user \(owner.name)' again"
    switch record.state {
    case .guarded: break
    case .enabling:
      report.problems.append(
        "the store is being moved, or that was interrupted; nothing is lost: \(again), or 'disable' to leave it "
          + "at \(record.origin)")
    case .disabling:
      report.problems.append(
        "the store is being moved back, or that was interrupted; nothing is lost: run 'sudo fencepost guard "
          + "disable --user \(owner.name)' again")
    }
    let folders: [(path: String, group: UInt32?, mode: Int)] = [
      (place.base, nil, 0o755), (place.folder, nil, 0o755), (place.gate, group, 0o710),
    ]
    for (folder, group, mode) in folders
    where !isSafe(folder, owner: administrator, group: group, mode: mode) {
      report.problems.append("the rights of \(folder) are not as they must be; \(again)")
    }
    // A user who can't pass the gate can't look at the vault. That is how it should be.
    if access(place.vault, F_OK) == 0, !isSafe(place.vault, owner: owner.user, group: nil, mode: 0o700) {
      report.problems.append("the rights of \(place.vault) are not as they must be; \(again)")
    }
    if record.state == .guarded, access(record.origin, F_OK) == 0 {
      report.problems.append(
        "\(record.origin) is there again, and is not the guarded store; no program uses it")
    }
    if !opensStore(program) {
      report.problems.append(
        "\(program) has not the group \(GuardedStore.group), and so can't open the store; \(again)")
    }
    if !isSocket(place.socket) {
      report.problems.append(
        "no apps are served at \(place.socket); run 'sudo systemctl enable --now fencepost@\(owner.user).socket"
          + " fencepost@\(owner.user).service'")
    }
    return report
  }

  /// The number of root; in a test, of the user who runs it.
  private var administrator: uid_t { place.base.hasPrefix("/var/lib/") ? 0 : geteuid() }

  private func isSafe(_ folder: String, owner: uid_t, group: gid_t?, mode: Int) -> Bool {
    var status = stat()
    guard lstat(folder, &status) == 0 else { return false }
    return status.st_mode & S_IFMT == S_IFDIR && status.st_uid == owner
      && group.map { status.st_gid == $0 } ?? true && Int(status.st_mode & 0o7777) == mode
  }

  private func isSocket(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
  }

  /// Whether a program has the group, and nobody but root can read or change its file: a process of a file
  /// that its user can't read can't be looked into by other programs of that user.
  func opensStore(_ program: String) -> Bool {
    var status = stat()
    return stat(program, &status) == 0 && status.st_uid == 0 && status.st_gid == group
      && status.st_mode & 0o7777 == StoreGuard.programMode
  }

  /// The mode of the program in guarded mode: anybody may run it, with the group.
  static let programMode: mode_t = 0o2711
}
