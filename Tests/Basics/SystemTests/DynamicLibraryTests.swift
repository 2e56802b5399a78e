import Testing

@testable import FencepostSystem

@Suite("Libraries that are loaded while the program runs")
struct DynamicLibraryTests {
  @Test("The first file that the system finds is taken, and its functions can be called")
  func found() throws {
    let library = try DynamicLibrary(
      "the C library", files: ["libnot-there.so.1", "libc.so.6"], for: "tests", package: "libc6")
    let length: @convention(c) (UnsafePointer<CChar>) -> Int = try library.function("strlen")
    #expect(length("fence") == 5)
  }

  @Test("What is missing is named, with what to do")
  func missing() throws {
    #expect(
      throws: DynamicLibrary.Failure(
        description: "tests need the library libnot-there; install it: apt-get install libnot-there1")
    ) {
      _ = try DynamicLibrary(
        "libnot-there", files: ["libnot-there.so.1"], for: "tests", package: "libnot-there1")
    }
    let library = try DynamicLibrary("libc", files: ["libc.so.6"], for: "tests", package: "libc6")
    #expect(
      throws: DynamicLibrary.Failure(
        description: "libc has no function not_there; install a newer version")
    ) {
      let _: @convention(c) () -> Void = try library.function("not_there")
    }
  }
}
