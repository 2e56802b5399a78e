/// The first 127 bytes of a PMTiles file, version 3
/// (https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md). Numbers have their lowest byte first.
struct PMTilesHeader {
  /// The bytes that such a file begins with.
  static let signature = Array("PMTiles".utf8)
  static let size = 127

  /// How a part of the file is compressed.
  enum Compression: UInt8 {
    case none = 1
    case gzip = 2
  }

  /// A part of the file.
  struct Part {
    var offset: UInt64
    var length: UInt64
  }

  let root: Part
  let metadata: Part
  let leaves: Part
  let tiles: Part
  let internalCompression: Compression
  let tileCompression: Compression
  let format: TileFormat
  let zooms: ClosedRange<Int>
  /// West, south, east and north in degrees; `nil` if the file does not say.
  let bounds: [Double]?

  /// Why a file can't be used.
  struct Refusal: Error { let reason: String }

  init(_ bytes: [UInt8]) throws(Refusal) {
    guard bytes.count == Self.size, bytes.starts(with: Self.signature) else {
      throw Refusal(reason: "it ends within its header")
    }
    guard bytes[7] == 3 else {
      throw Refusal(reason: "it is PMTiles \(bytes[7]), not 3; 'pmtiles convert' makes a newer file")
    }
    func part(_ at: Int) -> Part {
      Part(offset: Self.number(bytes[at..<at + 8]), length: Self.number(bytes[at + 8..<at + 16]))
    }
    root = part(8)
    metadata = part(24)
    leaves = part(40)
    tiles = part(56)
    internalCompression = try Self.compression(bytes[97], of: "directories")
    tileCompression = try Self.compression(bytes[98], of: "tiles")
    switch bytes[99] {
    case 1: format = .vector
    case 2: format = .png
    case 3: format = .jpeg
    case 4: format = .webp
    case 5: format = .avif
    default:
      throw Refusal(
        reason: "its tiles are neither pictures (PNG, JPEG, WebP or AVIF) nor Mapbox vector tiles")
    }
    let lowest = Int(bytes[100])
    let highest = Int(bytes[101])
    guard lowest <= highest, highest <= TileLimits.zoom else {
      throw Refusal(reason: "its zoom levels are \(lowest) to \(highest)")
    }
    zooms = lowest...highest
    let corners = [102, 106, 110, 114].map { at in
      Double(Int32(truncatingIfNeeded: Self.number(bytes[at..<at + 4]))) / 1e7
    }
    bounds = corners[0] < corners[2] && corners[1] < corners[3] ? corners : nil
  }

  private static func compression(_ code: UInt8, of what: String) throws(Refusal) -> Compression {
    if let known = Compression(rawValue: code) { return known }
    let name = [3: "brotli", 4: "zstd"][code] ?? "an unknown method"
    throw Refusal(
      reason:
        "its \(what) are compressed with \(name); only gzip and none can be read, so make it anew with gzip")
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
