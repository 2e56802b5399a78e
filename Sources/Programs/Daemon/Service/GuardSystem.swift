import FencepostConfiguration
import FencepostSystem
import Glibc

/// What guarded mode changes in the system besides folders: the program's group, and units.
public struct GuardSystem: Sendable {
  /// The path of the program.
  public let program: String

  /// The system with this program.
  public init(program: String) { self.program = program }

  /// The number of the group.
  ///
  /// - Throws: ``GuardFailure`` if the system does not have it.
  public static func group() throws -> UInt32 {
    guard let entry = getgrnam(GuardedStore.group) else {
      throw GuardFailure(
        "the system has no group \(GuardedStore.group); run 'systemd-sysusers fencepost.conf', or 'groupadd "
          + "--system \(GuardedStore.group)'")
    }
    return entry.pointee.gr_gid
  }

  /// Gives the program the group, also after updates of its package.
  ///
  /// - Throws: ``GuardFailure``, also if the program is not root's.
  public func giveGroup(_ group: UInt32) throws {
    var status = stat()
    guard stat(program, &status) == 0, status.st_uid == 0, status.st_mode & (S_IWGRP | S_IWOTH) == 0 else {
      throw GuardFailure(
        "\(program) is not a program that only root can change; install it with the package or 'make install'"
      )
    }
    if isPackaged {
      _ = run("dpkg-statoverride", ["--quiet", "--remove", program])
      let mode = String(StoreGuard.programMode, radix: 8)
      _ = run(
        "dpkg-statoverride", ["--quiet", "--update", "--add", "root", GuardedStore.group, mode, program])
    }
    // The change of the group removes the bit of the mode.
    guard chown(program, 0, group) == 0, chmod(program, StoreGuard.programMode) == 0 else {
      throw GuardFailure("can't give \(program) the group: \(String(cString: strerror(errno)))")
    }
  }

  /// Takes the group away, when no store is guarded any more.
  public func takeGroup() throws {
    if isPackaged { _ = run("dpkg-statoverride", ["--quiet", "--remove", program]) }
    guard chown(program, 0, 0) == 0, chmod(program, 0o755) == 0 else {
      throw GuardFailure("can't take the group from \(program): \(String(cString: strerror(errno)))")
    }
  }

  private var isPackaged: Bool { access("/var/lib/dpkg/info/fencepost.list", F_OK) == 0 }

  /// Starts or ends the units of a person.
  ///
  /// - Returns: What the person has to type; `nil` if it is done.
  public func setUnits(of user: UInt32, run isWanted: Bool) -> String? {
    let words =
      (isWanted ? ["enable", "--now"] : ["disable", "--now"])
      + ["fencepost@\(user).socket", "fencepost@\(user).service"]
    guard access("/run/systemd/system", F_OK) == 0, run("systemctl", ["daemon-reload"]),
      run("systemctl", words)
    else { return "systemctl " + words.joined(separator: " ") }
    return nil
  }

  /// Whether a program ended well.
  private func run(_ name: String, _ words: [String]) -> Bool {
    // Standard output is for data.
    guard let process = try? ChildProgram(path: name, arguments: words).start(output: 2) else { return false }
    return process.wait() == .exited(0)
  }
}
