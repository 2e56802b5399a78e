import CFencepostZlib
import FencepostGeodesy
import FencepostTestSupport
import Foundation
import Testing

@testable import FencepostOpenStreetMap

@Suite("Places of maps")
struct MapPlaceFileTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func write(_ bytes: [UInt8]) throws -> String {
    let path = directory.path("town.osm.pbf")
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  private func read(
    _ bytes: [UInt8], limits: MapPlaceFile.Limits = .init()
  ) throws -> (places: [MapPlace], summary: MapPlaceFile.Summary) {
    var places: [MapPlace] = []
    let summary = try MapPlaceFile(write(bytes), limits: limits).forEach { places += $0 }
    return (places, summary)
  }

  private static func packed(_ content: [UInt8]) -> [UInt8] {
    var count = compressBound(uLong(content.count))
    var bytes = [UInt8](repeating: 0, count: Int(count))
    compress(&bytes, &count, content, uLong(content.count))
    var blob: [UInt8] = []
    MapFileWriter.add(2, UInt64(content.count), to: &blob)
    MapFileWriter.add(3, Array(bytes.prefix(Int(count))), to: &blob)
    return blob
  }

  @Test(
    "Points, outlines, areas of several ways and streets become places", arguments: [true, false],
    [true, false])
  func town(isDense: Bool, isPacked: Bool) throws {
    var map = MapFileWriter.town
    map.isDense = isDense
    let (places, summary) = try read(isPacked ? map.bytes(Self.packed) : map.bytes())
    #expect(summary == MapPlaceFile.Summary(places: 7, withoutOutline: 1))
    #expect(places.map(\.key) == ["n1", "n2", "n3", "w20", "w23", "w24", "r30"])
    let pharmacy = places[1]
    #expect(pharmacy.name == "Löwen-Apotheke" && pharmacy.kind == "amenity=pharmacy" && pharmacy.radius == 0)
    #expect(pharmacy.coordinate == Coordinate(latitude: 52.501, longitude: 13.401))
    #expect(pharmacy.address == "Main Street 5, 10115 Testow")
    #expect(pharmacy.openingHours == "Mo-Fr 08:00-18:00" && pharmacy.words.contains("Apotheke"))
    #expect(places[2].name == nil && places[2].words.contains("Briefkasten"))
    let shop = places[3]
    #expect(abs(shop.coordinate.latitude - 52.5105) < 1e-6 && abs(shop.coordinate.longitude - 13.411) < 1e-6)
    #expect(shop.radius == 88 && shop.words.contains("Fresh & Co"))
    #expect(places[4].kind == "highway=residential" && places[4].radius == 0)
    #expect(abs(places[6].coordinate.latitude - 52.525) < 1e-6 && places[6].radius > 800)
  }

  @Test("An outline over the antimeridian is around its middle")
  func antimeridian() throws {
    var map = MapFileWriter()
    map.nodes = [(1, 179.99), (2, -179.99), (3, 179.99)].map { MapFileWriter.Node($0.0, 10, $0.1) }
    map.ways = [MapFileWriter.Way(1, [1, 2, 3], ["natural": "beach", "name": "Date Line"])]
    let place = try #require(try read(map.bytes()).places.first)
    #expect(abs(abs(place.coordinate.longitude) - 180) < 1e-6 && place.radius < 2_000)
  }

  @Test("More places than the limit are refused, and areas beyond the limit of corners left out")
  func limits() throws {
    let bytes = MapFileWriter.town.bytes()
    #expect(throws: MapFileFailure(problem: .tooManyPlaces(3), offset: 0)) {
      try read(bytes, limits: .init(places: 3))
    }
    #expect(try read(bytes, limits: .init(corners: 6)).summary.withoutOutline == 3)
  }

  @Test("Other files, and what this program does not know, are refused with what to do")
  func refused() throws {
    func problem(_ bytes: [UInt8]) -> MapFileFailure.Problem? {
      do { _ = try read(bytes) } catch { return (error as? MapFileFailure)?.problem }
      return nil
    }
    #expect(problem([]) == .otherFile)
    #expect(problem(Array("<osm version='0.6'/>".utf8)) == .otherFile)
    #expect(problem(MapFileWriter.block("OSMData", MapFileWriter.raw([]))) == .otherFile)
    var map = MapFileWriter.town
    map.features = ["HistoricalInformation"]
    #expect(problem(map.bytes()) == .feature("HistoricalInformation"))
    let head = MapFileWriter.block("OSMHeader", MapFileWriter.raw([]))
    var zstd: [UInt8] = []
    MapFileWriter.add(7, [1, 2, 3], to: &zstd)
    #expect(problem(head + MapFileWriter.block("OSMData", zstd)) == .compression("zstd"))
    #expect(problem(head + [0xFF, 0, 0, 0]) == .tooLarge)
    #expect(problem(head + [0, 0, 0, 9, 1]) == .damaged)
    var bomb: [UInt8] = []
    MapFileWriter.add(2, 1 << 40, to: &bomb)
    MapFileWriter.add(3, [0x78, 0x9C], to: &bomb)
    #expect(problem(head + MapFileWriter.block("OSMData", bomb)) == .tooLarge)
    #expect(problem(head) == nil)
    #expect(problem(head + MapFileWriter.block("Other", [1, 2, 3])) == nil)
    #expect(throws: MapFileFailure.self) { try MapPlaceFile(directory.path("none")) }
  }

  @Test("A file that is cut off or changed anywhere is read or refused, and nothing else")
  func damaged() throws {
    let bytes = MapFileWriter.town.bytes()
    for count in stride(from: 0, to: bytes.count, by: 7) { _ = try? read(Array(bytes.prefix(count))) }
    var state: UInt64 = 7
    for _ in 0..<400 {
      var changed = bytes
      for _ in 0..<3 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        changed[Int((state >> 33) % UInt64(changed.count))] = UInt8(truncatingIfNeeded: state >> 20)
      }
      do { _ = try read(changed) } catch { #expect(error is MapFileFailure) }
    }
  }

  @Test("Numbers of up to ten bytes are read, and longer or cut ones refused")
  func numbers() {
    func value(_ bytes: [UInt8]) -> UInt64? {
      bytes.withUnsafeBytes { bytes in
        var reader = ProtobufReader(bytes)
        return try? reader.varint()
      }
    }
    #expect(value([0x7F]) == 127 && value([0x96, 0x01]) == 150)
    #expect(value([UInt8](repeating: 0xFF, count: 9) + [1]) == .max)
    #expect(value([UInt8](repeating: 0xFF, count: 11)) == nil && value([0x80]) == nil && value([]) == nil)
    #expect(ProtobufReader.signed(3) == -2 && ProtobufReader.signed(.max) == .min)
  }
}
