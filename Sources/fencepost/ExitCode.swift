/// How a run ended. The numbers are documented in the manual and never change.
enum ExitCode: Int32 {
  /// All was done.
  case success = 0
  /// Something failed: a file that can't be read, a store that can't be opened.
  case failure = 1
  /// The words on the command line, or the settings, could not be understood.
  case misuse = 2
}
