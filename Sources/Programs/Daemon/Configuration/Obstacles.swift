import Glibc

extension ChannelAddress {
  /// Why this channel can't work, one line; `nil` if there is no known reason. It does not contact servers or brokers.
  public var obstacle: String? {
    switch self {
    case .standardOutput, .webPush: nil
    case .command(let path): Obstacle.toRunning(path)
    case .mail(let address): Obstacle.toRunning(address.mailer)
    case .webhook(let address): Obstacle.reason { _ = try address.secret?.key() }
    case .desktop: Obstacle.reason { _ = try DBusConnection(.session) }
    case .mqtt(let address, _): address.authorities.flatMap { Obstacle.toReading($0) }
    }
  }

  /// Whether the address has a secret.
  public var holdsSecret: Bool {
    switch self {
    case .webhook(let address): address.holdsSecret
    case .mqtt(let address, _): address.password != nil
    case .standardOutput, .command, .mail, .desktop, .webPush: false
    }
  }
}

extension FeedAddress {
  /// Why this feed can't work, one line; `nil` if there is no known reason. It does not contact servers or brokers.
  public var obstacle: String? {
    switch self {
    case .path(let path), .tail(let path), .serial(let path, _): Obstacle.toReading(path)
    case .mqtt(let address): address.authorities.flatMap { Obstacle.toReading($0) }
    case .geoclue: Obstacle.reason { _ = try DBusConnection(.system) }
    case .maildir(let path): Obstacle.toFolder("\(path)/new")
    case .imap(let address):
      address.password == nil
        ? "no password; add 'password-file' to the feed in the settings file"
        : address.authorities.flatMap { Obstacle.toReading($0) }
    case .standardInput, .gpsd, .http: nil
    }
  }

  /// Whether the address has a secret.
  public var holdsSecret: Bool {
    switch self {
    case .http(let address): address.asksForSecret
    case .mqtt(let address): address.password != nil
    case .imap(let address): address.password != nil
    default: false
    }
  }
}

/// Reasons why something can't be used.
private enum Obstacle {
  /// Why a program can't be run.
  static func toRunning(_ path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0 else { return "can't run \(path): \(String(cString: strerror(errno)))" }
    guard status.st_mode & S_IFMT == S_IFREG else { return "can't run \(path): it is not a file" }
    // For root, `access` succeeds without any execute permission, but running the program fails.
    guard status.st_mode & 0o111 != 0 else { return "can't run \(path): it is not executable" }
    return access(path, X_OK) == 0 ? nil : "can't run \(path): \(String(cString: strerror(errno)))"
  }

  /// Why a file, a pipe or a device can't be read.
  static func toReading(_ path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0, access(path, R_OK) == 0 else {
      return "can't read \(path): \(String(cString: strerror(errno)))"
    }
    return status.st_mode & S_IFMT == S_IFDIR ? "can't read \(path): it is a folder" : nil
  }

  /// Why a folder can't be read.
  static func toFolder(_ path: String) -> String? {
    access(path, R_OK | X_OK) == 0 ? nil : "can't read \(path): \(String(cString: strerror(errno)))"
  }

  /// Why something fails.
  static func reason(_ attempt: () throws -> Void) -> String? {
    do {
      try attempt()
      return nil
    } catch {
      return "\(error)"
    }
  }
}
