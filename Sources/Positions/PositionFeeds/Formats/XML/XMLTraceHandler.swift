import FencepostAlgorithms
internal import FencepostSpatiotemporal
import FencepostXML

/// Makes fixes from the elements of a trace in XML. Each format has a subclass.
///
/// Handlers compare local names, because namespaces differ between versions and writers, and some files have
/// none.
class XMLTraceHandler: XMLElementHandler {
  /// The sink for rejected records; set while the parser runs.
  private(set) final var sink: FixSink?
  /// The sink's fixes while the parser runs. They are stored here because each point appends one.
  final var fixes: [Fix] = []
  /// The sink's device, or the last one named.
  private(set) final var device = DeviceNumber.first
  private final var named: DeviceNumber?
  private final var devices = TraceDevices()
  /// The number of finished points, valid or not.
  final var points = 0
  /// Whether ``text`` collects characters.
  final var isReadingText = false
  /// Whether the text is a list, whose words go to ``takeWord()`` one by one. So a list may have any length.
  final var isReadingWords = false

  private final let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(
    capacity: TraceDevices.maximumNameLength)
  private final var count = 0

  deinit { buffer.deallocate() }

  /// Takes the fixes of `sink` to append to them.
  final func begin(_ sink: FixSink) {
    self.sink = sink
    device = named ?? sink.defaultDevice
    swap(&fixes, &sink.fixes)
  }

  /// Returns the fixes to the sink.
  final func end() {
    if let sink { swap(&fixes, &sink.fixes) }
    sink = nil
  }

  /// Throws at the end of the document if it is not a trace.
  func requireTrace(_ sink: FixSink) throws(FeedError) {
    if points == 0 && sink.interruption == nil { throw sink.error(.noPositions) }
  }

  /// Called when no more elements come: at the end of the document or at an error.
  func conclude() {}

  /// Sets the device of the following fixes by name. It is the sink's device for `nil`, and if there are too
  /// many devices.
  final func setDevice(_ name: UnsafeBufferPointer<UInt8>?) {
    guard let sink else { return }
    named = devices.find(name, sink) { String(decoding: $0, as: UTF8.self) }?.number
    device = named ?? sink.defaultDevice
  }

  /// Rejects a record.
  final func leaveOut(_ reason: RejectionReason, line: Int) { sink?.reject(reason, line: line) }

  // MARK: Text

  /// Begins to read the text of an element.
  @inline(__always)
  final func beginText() {
    isReadingText = true
    isReadingWords = false
    count = 0
  }

  /// Begins to read the words of an element.
  final func beginWords() {
    beginText()
    isReadingWords = true
  }

  /// Ends the last word of an element.
  final func endWords() {
    endWord()
    isReadingWords = false
  }

  /// Takes the word in ``text``.
  func takeWord() {}

  private final func endWord() {
    if count > 0 { takeWord() }
    count = 0
  }

  /// The characters since ``beginText()``, without blanks around them.
  @inline(__always)
  final var text: UnsafeBufferPointer<UInt8> {
    let all = UnsafeBufferPointer(rebasing: buffer[..<count])
    return UnsafeBufferPointer(rebasing: all[ASCII.trimmed(all.span)])
  }

  /// The text as a number; `nil` if it is not one.
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
    // A value longer than any number or time is cut, but stays too long to parse.
    let room = min(bytes.count, buffer.count - count)
    for index in 0..<room { buffer[count + index] = bytes[index] }
    count += room
  }
}
