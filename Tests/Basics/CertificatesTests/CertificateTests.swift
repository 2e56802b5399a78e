import FencepostCertificates
import FencepostSpatiotemporal
import FencepostSystem
import FencepostTestSupport
import Foundation
import Testing

@Suite("Certificates of an authority of one's own")
struct CertificateTests {
  let now = Instant.wallClock()

  /// Runs openssl, and returns its status and what it printed.
  private func openssl(_ words: String..., in directory: TemporaryDirectory) throws -> (Int32, String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
    process.arguments = words
    process.currentDirectoryURL = directory.url
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: bytes, as: UTF8.self))
  }

  @Test("OpenSSL believes a server's certificate by its name and its address, with the authority alone")
  func verified() throws {
    let directory = try TemporaryDirectory()
    let authority = try CertificateAuthority(named: "Fencepost of Ann's machine", at: now)
    // As read from its files again.
    let issued = try CertificateAuthority(certificate: authority.certificate, key: authority.key)
      .issue(for: ["pc.local", "192.168.1.10", "fd00::1"], at: now)
    for (name, text) in [
      ("ca.pem", authority.certificate), ("server.pem", issued.chain), ("key.pem", issued.key),
    ] {
      try Data(text.utf8).write(to: URL(fileURLWithPath: directory.path(name)))
    }
    for (option, host, isRight) in [
      ("-verify_hostname", "pc.local", true), ("-verify_ip", "192.168.1.10", true),
      ("-verify_ip", "fd00::1", true), ("-verify_hostname", "other.local", false),
    ] {
      let (status, words) = try openssl(
        "verify", "-x509_strict", "-purpose", "sslserver", "-CAfile", "ca.pem", option, host, "server.pem",
        in: directory)
      #expect((status == 0) == isRight, "\(host): \(words)")
    }
    let (_, words) = try openssl("x509", "-in", "server.pem", "-noout", "-text", in: directory)
    #expect(words.contains("TLS Web Server Authentication") && words.contains("CA:FALSE"))
    #expect(words.contains("ecdsa-with-SHA256"))
    #expect(try openssl("pkey", "-in", "key.pem", "-noout", "-check", in: directory).0 == 0)
    let (_, root) = try openssl("x509", "-in", "ca.pem", "-noout", "-text", in: directory)
    #expect(root.contains("CA:TRUE, pathlen:0"))
  }

  @Test("A certificate tells its hosts and its end, less than 825 days away")
  func facts() throws {
    let authority = try CertificateAuthority(named: "Mine", at: now)
    let hosts = ["pc.local", "10.0.0.2", "fd00::1"]
    let facts = try CertificateFacts(reading: authority.issue(for: hosts, at: now).chain)
    #expect(facts.hosts == hosts)
    let days = facts.end.seconds(since: now) / 86_400
    #expect(days > 700 && days < 824)
  }

  @Test("Two authorities have different keys, and what is no certificate is refused")
  func refused() throws {
    let (one, other) = try (
      CertificateAuthority(named: "A", at: now), CertificateAuthority(named: "A", at: now)
    )
    #expect(one.key != other.key && one.certificate != other.certificate)
    for text in ["", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", one.key] {
      #expect(throws: CertificateError.self) { try CertificateFacts(reading: text) }
    }
    #expect(throws: CertificateError.self) {
      try CertificateAuthority(certificate: one.certificate, key: "").issue(for: ["a"], at: now)
    }
  }
}
