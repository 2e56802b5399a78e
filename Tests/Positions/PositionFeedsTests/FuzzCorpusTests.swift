import FencepostGeodesy
import FencepostSpatiotemporal
import FencepostTestSupport
import Testing

@testable import FencepostPositionFeeds

@Suite("The fuzzer's corpus")
struct FuzzCorpusTests {
  @Test("Each input is read to its end or refused", arguments: FuzzCorpus.inputs("Traces"))
  func replay(name: String) throws {
    let bytes = try FuzzCorpus.bytes(name, of: "Traces")
    do {
      let whole = try Reading(bytes: bytes, name: name)
      #expect(whole.fixes.allSatisfy { $0.coordinate.isValid })
      #expect(whole.fixes.allSatisfy { ($0.horizontalAccuracy ?? 1) > 0 && ($0.speed ?? 0) >= 0 })
      #expect(whole.fixes.allSatisfy { (0...360).contains($0.course ?? 0) && $0.altitude?.isNaN != true })
      let single = try Reading(bytes: bytes, name: name, limit: 1)
      #expect(single.fixes == whole.fixes)
    } catch { #expect(error is FeedError) }
  }

  @Test(
    "Pieces may break anywhere in a trace without changing its fixes",
    arguments: FuzzCorpus.inputs("Traces").flatMap { name in [1, 2, 3, 7].map { (name, $0) } })
  func pieces(name: String, size: Int) throws {
    let bytes = try FuzzCorpus.bytes(name, of: "Traces")
    let whole = try TraceReader(bytes: bytes, name: name, devices: DeviceRegistry())
    let fixes = try whole.rest()
    let devices = DeviceRegistry()
    let source = Pieces(bytes, size: size)
    if ZipArchive.recognises(bytes) {
      let archive = try ArchivedTraces(
        ZipArchive(head: [], source: source), devices: devices,
        device: TraceReader.defaultDeviceName(forPath: name))
      var read: [Fix] = []
      var batch: [Fix] = []
      repeat {
        batch.removeAll()
        try archive.read(into: &batch, limit: 100)
        read += batch
      } while !batch.isEmpty
      #expect(read == fixes)
      #expect(archive.reports.map(\.rejections) == whole.reports.map(\.rejections))
    } else {
      let trace = try TraceStream(name: name, head: [], source: source, devices: devices) { _ in "x" }
      var read: [Fix] = []
      var batch: [Fix] = []
      repeat {
        batch.removeAll()
        try trace.read(into: &batch, limit: 100)
        read += batch
      } while !batch.isEmpty
      #expect(read == fixes)
      #expect(trace.report.rejections == whole.report.rejections)
    }
  }

  @Test("UTF-16 may break anywhere, within a unit and within a pair", arguments: [1, 2, 3, 5])
  func utf16Pieces(size: Int) throws {
    let text = "\u{FEFF}time,lat,lon,device\n1,52.5,13.4,📱\n2,52.5,13.4,Ü\n"
    let bytes = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let devices = DeviceRegistry()
    let trace = try TraceStream(
      name: "x", head: [], source: Pieces(bytes, size: size), devices: devices
    ) { _ in "x" }
    var fixes: [Fix] = []
    try trace.read(into: &fixes, limit: 1)
    #expect(fixes.map(\.time.wholeSeconds) == [1])
    fixes = []
    try trace.read(into: &fixes, limit: 9)
    #expect(fixes.map(\.time.wholeSeconds) == [2])
    #expect(devices.names == ["x", "📱", "Ü"])
  }

  /// Returns its bytes a few at a time.
  private final class Pieces: ByteStream {
    private var rest: ArraySlice<UInt8>
    private let size: Int

    init(_ bytes: [UInt8], size: Int) {
      rest = bytes[...]
      self.size = size
    }

    var name: String { "pieces" }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
      let piece = rest.prefix(min(size, buffer.count))
      buffer.copyBytes(from: piece)
      rest = rest.dropFirst(piece.count)
      return piece.count
    }
  }

  @Test("The seeds are traces in each format")
  func seeds() throws {
    let formats = FuzzCorpus.inputs("Traces").compactMap { name in
      (try? FuzzCorpus.bytes(name, of: "Traces")).flatMap { try? Reading(bytes: $0, name: name) }
    }.filter { !$0.fixes.isEmpty }.compactMap(\.report.format)
    #expect(Set(formats) == Set(TraceFormat.allCases))
  }
}
