import CLinux
import Glibc
import Threads

/// A file that grows, as a pipe that its bytes come out of, from its beginning on: what is known already changes
/// nothing.
///
/// A thread copies what is written to the file, and sleeps until something is (inotify(7)). The pipe ends when the
/// file was cut short or replaced; then it is to be opened anew. The thread ends when nobody reads the pipe any more.
enum GrowingFile {
  /// The end of the pipe to read from.
  static func open(_ path: String) throws -> Int32 {
    let watch = try FileWatch(path: path)
    let file = try SystemFailure.check(Glibc.open(path, O_RDONLY | O_CLOEXEC), "open \(path)")
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
      close(file)
      throw SystemFailure("follow \(path)", code: EISDIR)
    }
    var ends: [Int32] = [-1, -1]
    // A socket and not a pipe: it can be written to without SIGPIPE.
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0
    else {
      let failure = SystemFailure("read \(path)")
      close(file)
      throw failure
    }
    let handedOver = Follower(file: file, path: path, watch: watch, output: ends[1])
    do {
      try SystemThread.start("tail") { handedOver.run() }
    } catch {
      close(ends[0])
      throw error
    }
    return ends[0]
  }
}

/// `@unchecked Sendable`: made by one thread and used by another one alone from then on.
private final class Follower: @unchecked Sendable {
  private let file: Int32
  private let path: String
  private let watch: FileWatch
  private let output: Int32

  init(file: Int32, path: String, watch: FileWatch, output: Int32) {
    self.file = file
    self.path = path
    self.watch = watch
    self.output = output
  }

  deinit {
    close(file)
    close(output)
  }

  func run() {
    var offset: off_t = 0
    while copy(&offset), isSameFile(offset) {
      var waiting = [
        pollfd(fd: watch.descriptor, events: Int16(POLLIN), revents: 0),
        // Nothing is asked of it: that nobody reads it any more is told all the same.
        pollfd(fd: output, events: 0, revents: 0),
      ]
      repeat {
        poll(&waiting, 2, -1)
        if waiting[1].revents != 0 { return }
      } while !watch.drain()
    }
  }

  /// Copies what there is; false where nobody reads any more.
  private func copy(_ offset: inout off_t) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(file, &buffer, buffer.count)
      if count <= 0 { return count == 0 }
      var written = 0
      while written < count {
        let sent = buffer[written..<count].withUnsafeBytes {
          send(output, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        if sent < 0 { return false }
        written += sent
      }
      offset += off_t(count)
    }
  }

  private func isSameFile(_ offset: off_t) -> Bool {
    var opened = stat()
    var named = stat()
    guard fstat(file, &opened) == 0, stat(path, &named) == 0 else { return false }
    return opened.st_ino == named.st_ino && opened.st_dev == named.st_dev && opened.st_size >= offset
  }
}
