import Dispatch

/// Runs an actor's work on its own serial queue.
///
/// The work blocks on the disk, or on another process that holds the store. It must not block the threads that all
/// tasks of an app share: there are only as many as cores.
final class EngineQueue: SerialExecutor {
  private let queue = DispatchQueue(label: "fencepost.engine")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
