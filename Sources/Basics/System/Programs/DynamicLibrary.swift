import Glibc

/// A library of C functions that is loaded while the program runs.
///
/// For what few people use: a program that is linked with a library does not start where it is not installed.
/// A loaded library stays until the program ends.
package struct DynamicLibrary {
  private let handle: UnsafeMutableRawPointer
  private let name: String

  /// A library can't be used. Its description is one line that says what to install.
  package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
  }

  /// Loads a library.
  ///
  /// - Parameters:
  ///   - name: Its name, such as `libpq`.
  ///   - files: The names of its file, as versions have them. The first that the system finds is taken.
  ///   - user: What needs it, in the plural.
  ///   - package: The Debian package to install if it is missing.
  package init(_ name: String, files: [String], for user: String, package: String) throws(Failure) {
    guard let handle = files.lazy.compactMap({ dlopen($0, RTLD_NOW | RTLD_LOCAL) }).first else {
      throw Failure(
        description: "\(user) need the library \(name); install it: apt-get install \(package)")
    }
    self.handle = handle
    self.name = name
  }

  /// The function with a name.
  ///
  /// The caller names its type, which must be that of the library's header: nothing can check it.
  package func function<Function>(_ symbol: String) throws(Failure) -> Function {
    guard let address = dlsym(handle, symbol) else {
      throw Failure(description: "\(name) has no function \(symbol); install a newer version")
    }
    return unsafeBitCast(address, to: Function.self)
  }
}
