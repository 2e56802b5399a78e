internal import Foundation

/// The seeds of the fuzzers, and the inputs that once broke something: Fuzz/Corpus.
public enum FuzzCorpus {
  /// The inputs of one fuzz target, by name.
  public static func inputs(_ target: String) -> [String] {
    let directory = directory(target)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
    return names.sorted()
  }

  /// The bytes of the input called `name`.
  public static func bytes(
    _ name: String, of target: String
  ) throws -> [UInt8] {
    Array(try Data(contentsOf: directory(target).appendingPathComponent(name)))
  }

  private static func directory(_ target: String) -> URL {
    Repository.root.appendingPathComponent("Fuzz/Corpus").appendingPathComponent(target)
  }
}
