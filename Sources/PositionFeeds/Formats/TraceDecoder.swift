/// Turns the bytes of one trace into fixes. One conforming type a format; ``TraceFormat`` lists them.
///
/// Bytes come in pieces that break anywhere. A decoder holds no more than the record that it is in.
protocol TraceDecoder {
  /// Decodes the next `bytes`, which are not empty.
  mutating func decode(_ bytes: UnsafeBufferPointer<UInt8>, into sink: FixSink) throws(FeedError)

  /// Decodes what is left when the bytes have ended.
  mutating func finish(into sink: FixSink) throws(FeedError)
}
