internal import Foundation

/// The seeds of the fuzzers, and the inputs that once broke something: Fuzz/Corpus.
public enum FuzzCorpus {
  /// The inputs of one fuzz target, by name.
  public static func inputs(_ target: String, filePath: StaticString = #filePath) -> [String] {
    let directory = directory(target, filePath)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
    return names.sorted()
  }

  /// The bytes of the input called `name`.
  public static func bytes(
    _ name: String, of target: String, filePath: StaticString = #filePath
  ) throws -> [UInt8] {
    Array(try Data(contentsOf: directory(target, filePath).appendingPathComponent(name)))
  }

  private static func directory(_ target: String, _ filePath: StaticString) -> URL {
    var root = URL(fileURLWithPath: "\(filePath)")
    for _ in 0..<3 { root.deleteLastPathComponent() }
    return root.appendingPathComponent("Fuzz/Corpus").appendingPathComponent(target)
  }
}
