/// Decodes the bytes of one trace into fixes. Each format has one conforming type; ``TraceFormat`` lists the formats.
///
/// Bytes come in pieces that may break anywhere. A decoder holds no more than the current record.
protocol TraceDecoder {
  /// Decodes the next `bytes`, which are not empty.
  mutating func decode(_ bytes: UnsafeBufferPointer<UInt8>, into sink: FixSink) throws(FeedError)

  /// Decodes the rest after the last bytes.
  mutating func finish(into sink: FixSink) throws(FeedError)
}
