import CFencepostLinux
import Glibc

/// The program that opens addresses in the user's browser: `FENCEPOST_BROWSER`, otherwise `xdg-open`.
public struct BrowserProgram: Hashable, Sendable {
  /// Its path or name.
  public let name: String
  /// The user's folder for what lasts as long as the login, `XDG_RUNTIME_DIR`; `nil` without one.
  private let runtimeFolder: String?

  /// The program of an environment.
  public init(environment: [String: String]) {
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    name = value("FENCEPOST_BROWSER") ?? "xdg-open"
    runtimeFolder = value("XDG_RUNTIME_DIR").flatMap { $0.hasPrefix("/") ? $0 : nil }
  }

  /// Opens an address, and does not wait for the program: some end only with the browser.
  ///
  /// - Parameters:
  ///   - address: The address.
  ///   - isSecret: Whether who knows it can use it, as one that signs in. All users of the machine can read the
  ///     arguments of programs, so the browser gets a file that only this user can read, and that leads there.
  /// - Throws: If it can't be started, or the file can't be written.
  public func open(_ address: String, isSecret: Bool = false) throws(SystemFailure) {
    let argument = isSecret ? "file://" + (try leadingFile(to: address)) : address
    try ChildProgram(path: name, arguments: [argument]).launch()
  }

  /// The seconds after which a file is no longer needed, and the next call removes it.
  private static let maximumAge = 60

  /// Writes a page that leads to an address.
  ///
  /// - Returns: Its path.
  func leadingFile(to address: String) throws(SystemFailure) -> String {
    let folder = try privateFolder()
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    for entry in FolderEntry.all(in: folder) where !entry.isFolder {
      var status = stat()
      let path = "\(folder)/\(entry.name)"
      guard lstat(path, &status) == 0, now.tv_sec - status.st_mtim.tv_sec > Self.maximumAge else { continue }
      unlink(path)
    }
    var template = Array("\(folder)/XXXXXX.html".utf8CString)
    // mkstemps creates it with mode 0600.
    let descriptor = try SystemFailure.check(mkstemps(&template, 5), "write \(folder)")
    defer { close(descriptor) }
    try DescriptorIO.write(Self.page(leadingTo: address).utf8Span.span.bytes, to: descriptor)
    return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// A folder that only this user can read: in the runtime folder, or in `/tmp`, where another user may have
  /// made one of this name.
  private func privateFolder() throws(SystemFailure) -> String {
    let folder = runtimeFolder.map { "\($0)/fencepost-open" } ?? "/tmp/fencepost-open-\(geteuid())"
    guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw SystemFailure("write \(folder)") }
    var status = stat()
    _ = try SystemFailure.check(lstat(folder, &status), "read \(folder)")
    guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
      throw SystemFailure("write \(folder)", reason: "it belongs to others, or they can read it")
    }
    return folder
  }

  private static func page(leadingTo address: String) -> String {
    let address = address.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      .replacing("\"", with: "&quot;")
    return """
      <!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer">
      <meta http-equiv="refresh" content="0;url=\(address)"><title>Fencepost</title>
      <a href="\(address)">Continue</a>

      """
  }
}
