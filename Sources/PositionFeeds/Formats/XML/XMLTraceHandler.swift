import Algorithms
internal import Spatiotemporal

/// Follows the elements of a trace in XML and makes fixes of them. One subclass a format.
///
/// Elements are known by their local names: namespaces differ between versions and writers, and some have none.
class XMLTraceHandler: XMLElementHandler {
  /// Where what is rejected goes; set while the parser runs.
  private(set) final var sink: FixSink?
  /// The sink's fixes while the parser runs: within reach, as each point adds one.
  final var fixes: [Fix] = []
  /// The sink's device, or the one that was named last.
  private(set) final var device = DeviceNumber.first
  private final var named: DeviceNumber?
  private final var devices = TraceDevices()
  /// Points that ended, good or not.
  final var points = 0
  /// Whether ``text`` takes what comes.
  final var isReadingText = false
  /// Whether the text is a list whose words go to ``takeWord()`` one by one, so that it may be of any length.
  final var isReadingWords = false

  private final let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(
    capacity: TraceDevices.maximumNameLength)
  private final var count = 0

  deinit { buffer.deallocate() }

  /// Takes the fixes of `sink`, to add to them.
  final func begin(_ sink: FixSink) {
    self.sink = sink
    device = named ?? sink.defaultDevice
    swap(&fixes, &sink.fixes)
  }

  /// Gives the sink its fixes back.
  final func end() {
    if let sink { swap(&fixes, &sink.fixes) }
    sink = nil
  }

  /// At the end of the document: throws what it is where it is no trace.
  func requireTrace(_ sink: FixSink) throws(FeedError) {
    if points == 0 && sink.interruption == nil { throw sink.error(.noPositions) }
  }

  /// No more comes, be it that the document ends or that it breaks off.
  func conclude() {}

  /// From here on, fixes are of the device that the text names; of the sink's for `nil`, and where there are too many.
  final func setDevice(_ name: UnsafeBufferPointer<UInt8>?) {
    guard let sink else { return }
    named = devices.find(name, sink) { String(decoding: $0, as: UTF8.self) }?.number
    device = named ?? sink.defaultDevice
  }

  /// Counts a record that gave no fix.
  final func leaveOut(_ reason: RejectionReason, line: Int) { sink?.reject(reason, line: line) }

  // MARK: Text

  /// Starts over with the text of an element.
  @inline(__always)
  final func beginText() {
    isReadingText = true
    isReadingWords = false
    count = 0
  }

  /// Starts over with the words of an element.
  final func beginWords() {
    beginText()
    isReadingWords = true
  }

  /// Ends the last word of an element.
  final func endWords() {
    endWord()
    isReadingWords = false
  }

  /// Takes the word that is in ``text``.
  func takeWord() {}

  private final func endWord() {
    if count > 0 { takeWord() }
    count = 0
  }

  /// What was read since ``beginText()``, without blanks around it.
  @inline(__always)
  final var text: UnsafeBufferPointer<UInt8> {
    let all = UnsafeBufferPointer(rebasing: buffer[..<count])
    return UnsafeBufferPointer(rebasing: all[ASCII.trimmed(all.span)])
  }

  /// The number that was read; `nil` where it is none.
  final var number: Double? { DecimalNumber.parse(text.span) }

  override final func characters(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard isReadingText else { return }
    if isReadingWords {
      for byte in bytes {
        if ASCII.isBlank(byte) {
          endWord()
        } else if count < buffer.count {
          buffer[count] = byte
          count += 1
        }
      }
      return
    }
    // A value longer than any number or time is kept as too long, so that it reads as none.
    let room = min(bytes.count, buffer.count - count)
    for index in 0..<room { buffer[count + index] = bytes[index] }
    count += room
  }
}
