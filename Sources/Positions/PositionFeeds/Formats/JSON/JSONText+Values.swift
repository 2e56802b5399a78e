import FencepostJSON
internal import FencepostSpatiotemporal

extension JSONText {
  /// The moment in an RFC 3339 text; `nil` if it is not one.
  var timestamp: Instant? { withBytes { Instant.RFC3339(utf8: $0.span)?.instant } }

  /// The moment in any spelling of traces; `nil` if it is not one. See ``TraceTime`` for `scale`.
  func moment(scale: Double = 0) -> Instant? {
    withBytes { TraceTime.moment($0.span, scale: scale, decimalComma: false) }
  }
}
