import CFencepostLinux
import FencepostSystem
import Glibc

/// Reads a growing file from its start, as a pipe. Positions that the store already has change nothing.
///
/// A thread copies new bytes of the file, and sleeps until there are more (inotify(7)). The pipe ends when
/// the file is truncated or replaced; then it must be reopened. The thread ends when the pipe has no reader.
enum GrowingFile {
  /// Opens the file and returns the read end of the pipe.
  static func open(_ path: String) throws -> Int32 {
    let watch = try FileWatch(path: path)
    let file = try SystemFailure.check(Glibc.open(path, O_RDONLY | O_CLOEXEC), "open \(path)")
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
      close(file)
      throw SystemFailure("follow \(path)", code: EISDIR)
    }
    let ends: (ours: Int32, theirs: Int32)
    do {
      ends = try SocketPair.make(for: "read \(path)")
    } catch {
      close(file)
      throw error
    }
    let handedOver = Follower(file: file, path: path, watch: watch, output: ends.theirs)
    do {
      try SystemThread.start("tail") { handedOver.run() }
    } catch {
      close(ends.ours)
      throw error
    }
    return ends.ours
  }
}

/// `@unchecked Sendable`: one thread creates it, and then only another one uses it.
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
      repeat {
        // The only event of the pipe's other end is that it closes.
        guard Readiness.wait(for: watch.descriptor, interruptedBy: output) != .interrupted else { return }
      } while !watch.drain()
    }
  }

  /// Copies the available bytes; false if the pipe has no reader.
  private func copy(_ offset: inout off_t) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      do throws(SystemFailure) {
        let count = try DescriptorIO.read(file, into: &buffer)
        if count == 0 { return true }
        try DescriptorIO.send(buffer.span.bytes.extracting(first: count), to: output)
        offset += off_t(count)
      } catch {
        return false
      }
    }
  }

  private func isSameFile(_ offset: off_t) -> Bool {
    var opened = stat()
    var named = stat()
    guard fstat(file, &opened) == 0, stat(path, &named) == 0 else { return false }
    return FileIdentity(opened).isSame(as: FileIdentity(named)) && opened.st_size >= offset
  }
}
