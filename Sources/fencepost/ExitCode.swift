/// How a run ended. The numbers are documented in the manual and never change.
enum ExitCode: Int32 {
  /// Success.
  case success = 0
  /// Failure, such as an unreadable file or store.
  case failure = 1
  /// The command line or the settings are invalid.
  case misuse = 2
}
