import Glibc

// A closed pipe is an error of write(2), not the end of the process, so that what is open is closed in order.
signal(SIGPIPE, SIG_IGN)

let code = Program(console: .process()).run(Array(CommandLine.arguments.dropFirst()))
exit(code.rawValue)
