/// The exit code of the program, documented in the manual. A command can throw one after it has printed its
/// errors.
enum ExitCode: Int32, Error {
  /// Success.
  case success = 0
  /// Failure, such as an unreadable file or store.
  case failure = 1
  /// The command line or the settings are invalid.
  case misuse = 2
}
