import Dispatch
import Glibc

// A closed pipe is an error of write(2), not the end of the process, so that what is open is closed in order.
signal(SIGPIPE, SIG_IGN)

let words = Array(CommandLine.arguments.dropFirst())
if let code = Program(console: .process()).runDaemon(words) { exit(code.rawValue) }
Task { exit(await Program(console: .process()).run(words).rawValue) }
dispatchMain()
