import CalendarStore
import Glibc

// Where a standard stream is closed, the next file that is opened would take its number, and what is meant for
// somebody to read would end up in it.
while true {
  let descriptor = open("/dev/null", O_RDWR)
  if descriptor > STDERR_FILENO { close(descriptor) }
  if descriptor < 0 || descriptor > STDERR_FILENO { break }
}

// A closed pipe is an error of write(2), not the end of the process, so that what is open is closed in order.
signal(SIGPIPE, SIG_IGN)

Projections.leaveOut()

// On this thread, and not in a task: once the threads of tasks were used, they are woken every second, and a daemon is
// to sleep.
exit(Program(console: .process()).run(arguments: CommandLine.unsafeArgv).rawValue)
