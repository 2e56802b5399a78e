/// The program that opens addresses in the user's browser: `FENCEPOST_BROWSER`, otherwise `xdg-open`.
public struct BrowserProgram: Hashable, Sendable {
  /// Its path or name.
  public let name: String

  /// The program of an environment.
  public init(environment: [String: String]) {
    name = environment["FENCEPOST_BROWSER"].flatMap { $0.isEmpty ? nil : $0 } ?? "xdg-open"
  }

  /// Opens an address, and does not wait for the program: some end only with the browser.
  ///
  /// - Throws: If it can't be started.
  public func open(_ address: String) throws(SystemFailure) {
    try ChildProgram(path: name, arguments: [address]).launch()
  }
}
