import FencepostDatabase
import Glibc

// If a standard stream is closed, the next opened file would get its number, and output would end up in that
// file.
while true {
  let descriptor = open("/dev/null", O_RDWR)
  if descriptor > STDERR_FILENO { close(descriptor) }
  if descriptor < 0 || descriptor > STDERR_FILENO { break }
}

// A closed pipe should be an error of write(2), so that the program can close its files.
signal(SIGPIPE, SIG_IGN)

Projections.disable()

// On this thread and not in a task: the task threads wake up every second once used, and an idle daemon
// should sleep.
exit(Program(console: .process()).run(arguments: CommandLine.unsafeArgv).rawValue)
