import CalendarStore
import Glibc

// A closed pipe is an error of write(2), not the end of the process, so that what is open is closed in order.
signal(SIGPIPE, SIG_IGN)

Projections.leaveOut()

// On this thread, and not in a task: once the threads of tasks were used, they are woken every second, and a daemon is
// to sleep.
exit(Program(console: .process()).run(Array(CommandLine.arguments.dropFirst())).rawValue)
