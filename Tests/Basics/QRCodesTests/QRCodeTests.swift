import FencepostTestSupport
import Foundation
import Testing

@testable import FencepostQRCodes

@Suite("QR codes")
struct QRCodeTests {
  /// The modules of a drawing with its border, dark ones `true`.
  private typealias Modules = [[Bool]]

  private func modules(ofLines lines: [String]) -> Modules {
    lines.flatMap { line -> Modules in
      [
        line.map { $0 == " " || $0 == "▄" },
        line.map { $0 == " " || $0 == "▀" },
      ]
    }
  }

  private func modules(ofSVG svg: String, side: Int) throws -> Modules {
    var modules = Modules(repeating: [Bool](repeating: false, count: side), count: side)
    let path = try #require(svg.matches(of: /<path d="([^"]*)"/).first).1
    for run in path.matches(of: /M(\d+) (\d+)h(\d+)v1h-(\d+)z/) {
      let (x, y, width) = (Int(run.1) ?? 0, Int(run.2) ?? 0, Int(run.3) ?? 0)
      for x in x..<x + width { modules[y][x] = true }
    }
    return modules
  }

  /// What zbarimg reads in a picture of modules; `nil` if it is not installed.
  private func read(_ modules: Modules) throws -> String? {
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/zbarimg") else {
      print("skipped: zbarimg is not installed (zbar-tools)")
      return nil
    }
    let (width, scale) = (modules[0].count, 4)
    var picture = Array("P5 \(width * scale) \(modules.count * scale) 255\n".utf8)
    for row in modules {
      let line = row.flatMap { [UInt8](repeating: $0 ? 0 : 255, count: scale) }
      for _ in 0..<scale { picture += line }
    }
    let directory = try TemporaryDirectory()
    let path = directory.path("code.pgm")
    try Data(picture).write(to: URL(fileURLWithPath: path))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/zbarimg")
    process.arguments = ["--quiet", "--raw", path]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }

  @Test(
    "What is drawn for pages and terminals is read by another program",
    arguments: [
      "x", "https://home.example:8787/positions/pixel:abcd-efgh?id=Pixel%208&accuracy=high",
      "owntracks:///config?inline=" + String(repeating: "eyJfdHlwZSI6ImNvbmZpZ3VyYXRpb24i", count: 12),
    ])
  func read(text: String) throws {
    let code = try #require(QRCode(text))
    let side = code.size + 2 * QRCode.border
    let drawn = try modules(ofSVG: code.svg, side: side)
    #expect(Array(modules(ofLines: code.lines).prefix(side)) == drawn)
    #expect(
      code.lines.allSatisfy { $0.count == side } && code.svg.contains("viewBox=\"0 0 \(side) \(side)\""))
    // The border is light.
    #expect(drawn.prefix(4).joined().allSatisfy { !$0 } && drawn.allSatisfy { !$0.prefix(4).contains(true) })
    guard let found = try read(drawn) else { return }
    #expect(found == text + "\n")
  }

  @Test("A text that is too long for a code has none")
  func lengths() throws {
    #expect(QRCode(String(repeating: "a", count: 2_953)) != nil)
    #expect(QRCode(String(repeating: "a", count: 2_954)) == nil)
    #expect(QRCode("") == nil)
  }
}
