import JSON
internal import Spatiotemporal

extension JSONText {
  /// The moment that the text writes as RFC 3339; `nil` where it is none.
  var timestamp: Instant? { withBytes { Instant.RFC3339(utf8: $0.span)?.instant } }

  /// The moment that the text writes in any way that traces do; `nil` where it is none. `scale` is as for ``TraceTime``.
  func moment(scale: Double = 0) -> Instant? {
    withBytes { TraceTime.moment($0.span, scale: scale, decimalComma: false) }
  }
}
