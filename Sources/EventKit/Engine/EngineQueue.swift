import Dispatch

/// Runs an actor's work on a queue of its own, one piece after the other.
///
/// What waits for the disk, or for another process that holds the store, must not do so on the threads that all tasks
/// of an app share: there are as many of those as cores.
final class EngineQueue: SerialExecutor {
  private let queue = DispatchQueue(label: "fencepost.engine")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
