import FencepostAlgorithms

/// Detects a trace's format by its beginning.
struct FormatDetector {
  /// The bytes of the trace read so far.
  let head: UnsafeBufferPointer<UInt8>

  /// The format; `nil` if more bytes would help. If `isComplete`, there are enough bytes, and `nil` means
  /// that no format fits.
  ///
  /// - Throws: The kind of the content, if it shows that it is not a trace.
  func format(name: String, isComplete: Bool) throws(FeedError) -> TraceFormat? {
    if let content = ForeignContent.known(byMagicOf: head) {
      throw FeedError(trace: name, problem: .foreign(content))
    }
    let text = head.dropFirst(FormatDetector.lengthOfByteOrderMark(head))
    if FITDecoder.recognises(head) { return .fit }
    guard let first = text.first(where: { !ASCII.isBlank($0) }) else {
      if isComplete { throw FeedError(trace: name, problem: .empty) }
      return nil
    }
    if isUTF16 || first == ASCII.lessThan {
      return try xmlFormat(name: name, isComplete: isComplete)
    }
    let isJSON = first == 0x7B || first == 0x5B  // { [
    var hasWholeLine = false
    var describesDevice = false
    for line in lines(isComplete: isComplete) {
      defer { hasWholeLine = hasWholeLine || !line.allSatisfy(ASCII.isBlank) }
      if NMEASentence.isLikely(in: line) { return .nmea }
      if GPSD.recognises(line) {
        // The description of a device comes before its data, which may be anything.
        guard GPSD.describesDevice(line) else { return .gpsd }
        describesDevice = true
        continue
      }
      if IGCDecoder.recognises(line) { return .igc }
      // A line of a larger JSON document may look like a message: then the document's first line is not a
      // whole object.
      if !(isJSON && (hasWholeLine || first == 0x5B)), OwnTracks.recognises(line) { return .ownTracks }
      if PLTDecoder.recognises(line) { return .plt }
      if !isJSON, isCSVHeader(line) { return .csv }
    }
    if isJSON, isComplete || hasWholeLine || head.count >= 4096,
      let format = JSONFormatDetector(head: text).format
    {
      return format
    }
    // A log may begin with a bracket and not be JSON.
    if isJSON, isComplete, lines(isComplete: true).contains(where: isCSVHeader) { return .csv }
    guard isComplete || (hasWholeLine && !isJSON && head.count >= 4096) else { return nil }
    if describesDevice {
      guard let content = ForeignContent.known(byBinaryIn: head) else { return .gpsd }
      throw FeedError(trace: name, problem: .foreign(content))
    }
    if let content = ForeignContent.known(byContentOf: head) {
      throw FeedError(trace: name, problem: .foreign(content))
    }
    if isComplete, let line = lines(isComplete: true).first(where: { !CSVHeader.isSkipped($0) }) {
      try CSVHeader.explain(line, name: name)
    }
    return nil
  }

  /// The length of UTF-8's byte order mark at the start of `head`; 0 if there is none.
  static func lengthOfByteOrderMark(_ head: UnsafeBufferPointer<UInt8>) -> Int {
    head.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  // MARK: XML

  private var isUTF16: Bool {
    head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF])
      || head.starts(with: [0x3C, 0x00]) || head.starts(with: [0x00, 0x3C])
  }

  /// The format of an XML document, by the name of its first element.
  private func xmlFormat(name: String, isComplete: Bool) throws(FeedError) -> TraceFormat? {
    // Dropping the zero bytes of UTF-16 is enough to find the name.
    let text = head.prefix(16_384).filter { $0 != 0 && $0 < 0x80 }
    guard let root = FormatDetector.rootElement(text[...]) else {
      guard isComplete || head.count >= 16_384 else { return nil }
      throw FeedError(trace: name, problem: .foreign(.otherXML(root: nil)))
    }
    switch root {
    case "gpx": return .gpx
    case "kml": return .kml
    case "TrainingCenterDatabase": return .tcx
    default: break
    }
    throw FeedError(trace: name, problem: .foreign(.otherXML(root: root)))
  }

  /// The local name of the first element in `text`, after declarations, comments and instructions.
  private static func rootElement(_ text: ArraySlice<UInt8>) -> String? {
    var rest = text
    while let open = rest.firstIndex(of: ASCII.lessThan) {
      rest = rest[(open + 1)...]
      if rest.starts(with: "!--".utf8) {
        guard let end = firstIndex(of: "-->", in: rest) else { return nil }
        rest = rest[end...]
      } else if rest.first == 0x21 || rest.first == 0x3F {  // ! ?
        if rest.first == 0x21, let bracket = rest.firstIndex(where: { $0 == 0x5B || $0 == 0x3E }),
          rest[bracket] == 0x5B
        {
          // The decoder refuses declarations. The document type's name may differ from the root below it.
          guard let end = firstIndex(of: "]>", in: rest) else { return doctypeName(rest) }
          rest = rest[(end - 1)...]
          continue
        }
        guard let end = rest.firstIndex(of: 0x3E) else { return nil }
        rest = rest[end...]
      } else {
        let name = rest.prefix { !ASCII.isBlank($0) && $0 != 0x3E && $0 != ASCII.slash }
        guard name.endIndex < rest.endIndex else { return nil }
        return String(decoding: name.split(separator: 0x3A).last ?? name, as: UTF8.self)
      }
    }
    return nil
  }

  /// The name in `!DOCTYPE name [`.
  private static func doctypeName(_ text: ArraySlice<UInt8>) -> String? {
    let words = text.prefix { $0 != 0x5B }.split(whereSeparator: ASCII.isBlank)
    return words.count > 1 ? String(decoding: words[1], as: UTF8.self) : nil
  }

  /// The index after the first occurrence of `word`.
  private static func firstIndex(of word: String, in text: ArraySlice<UInt8>) -> Int? {
    text.indices.first { text[$0...].starts(with: word.utf8) }.map { $0 + word.utf8.count }
  }

  // MARK: Lines

  /// The lines of the head; the last one only if it is complete.
  private func lines(isComplete: Bool) -> [UnsafeBufferPointer<UInt8>] {
    var lines: [UnsafeBufferPointer<UInt8>] = []
    var start = FormatDetector.lengthOfByteOrderMark(head)
    while start < head.count {
      let end = head[start...].firstIndex(of: 0x0A)
      if end == nil && !isComplete { break }
      lines.append(UnsafeBufferPointer(rebasing: head[start..<(end ?? head.count)]))
      start = (end ?? head.count) + 1
    }
    return lines
  }

  /// Whether `line` names the columns of a position.
  private func isCSVHeader(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    // JSON keys in quotes would look like column names.
    guard let first = line.first(where: { !ASCII.isBlank($0) }), first != 0x7B, first != 0x5B else {
      return false
    }
    return !CSVHeader.hasLoneReturns(line) && CSVHeader.found(in: line) != nil
  }
}
