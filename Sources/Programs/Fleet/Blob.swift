import FencepostCryptography
import FencepostJSON
import FencepostJetStream

/// Bytes of any size in a stream: pieces on subjects of their own, and a description that names them.
struct Blob: Equatable {
  /// The beginning of the subjects of its pieces, after which a number comes.
  var subject: String
  var pieces: Int
  var size: Int
  /// The SHA-256 of the bytes, hexadecimal: two writers may have mixed their pieces.
  var digest: String

  /// The most bytes of a piece. A server takes a mebibyte at most by default.
  private static let pieceSize = 512 << 10
  /// The most bytes: states of some millions of devices.
  private static let maximumSize = 4 << 30

  /// Publishes bytes.
  static func publish(_ bytes: [UInt8], to subject: String, over log: JetStream) throws -> Blob {
    let starts = Array(stride(from: 0, to: bytes.count, by: pieceSize))
    for (index, start) in starts.enumerated() {
      try log.publish(
        NATSOutgoing("\(subject).\(index)", Array(bytes[start..<min(start + pieceSize, bytes.count)])))
    }
    return Blob(
      subject: subject, pieces: starts.count, size: bytes.count,
      digest: MessageDigest.digits(of: bytes))
  }

  /// Reads the bytes; `nil` if they are not what was described, because they were replaced meanwhile.
  func read(from stream: String, over log: JetStream) throws -> [UInt8]? {
    var bytes: [UInt8] = []
    for index in 0..<pieces {
      guard let piece = try log.last(of: "\(subject).\(index)", in: stream) else { return nil }
      bytes += piece.payload
      guard bytes.count <= size else { return nil }
    }
    return MessageDigest.digits(of: bytes) == digest ? bytes : nil
  }

  /// Adds the description to a JSON object.
  func describe(in line: inout JSONLine) {
    line.add("subject", subject)
    line.add("pieces", pieces)
    line.add("bytes", size)
    line.add("sha256", digest)
  }

  /// Reads a description; `nil` if it is none.
  init?(_ json: JSONValue) {
    guard let subject = json["subject"]?.text, let pieces = json["pieces"]?.integer,
      let size = json["bytes"]?.integer, let digest = json["sha256"]?.text,
      (0...Self.maximumSize).contains(size), (0...Self.maximumSize / Self.pieceSize).contains(pieces)
    else { return nil }
    self.init(subject: subject, pieces: pieces, size: size, digest: digest)
  }

  private init(subject: String, pieces: Int, size: Int, digest: String) {
    (self.subject, self.pieces, self.size, self.digest) = (subject, pieces, size, digest)
  }
}
