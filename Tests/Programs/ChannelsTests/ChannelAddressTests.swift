import FencepostAddresses
import FencepostAlarmTestSupport
import FencepostCalendarModel
import Testing

@testable import FencepostCalendarStore
@testable import FencepostChannels

@Suite("Addresses of channels")
struct ChannelAddressTests {
  @Test(
    "An address is shown without secrets and filters",
    arguments: [
      ("-", "-"),
      ("-?list=Errands", "-"),
      ("exec:/bin/ring?kind=enter&kind=leave", "exec:/bin/ring"),
      ("https://example.org/hook", "https://example.org/hook"),
      ("https://example.org:8443/a%20b?secret=s&list=A", "https://example.org:8443/a%20b"),
      ("https://me:pass@example.org/hook?token=abc&x=1", "https://example.org/hook?token=…&x=…"),
      ("HTTPS://Example.org/Hook", "https://Example.org/Hook"), ("Exec:/bin/Ring", "exec:/bin/Ring"),
      ("https://[::1]:8443/x", "https://[::1]:8443/x"), ("mqtt://[::1]/x", "mqtt://[::1]:1883/x"),
      ("mailto:anna@example.org", "mailto:anna@example.org"),
      ("mailto:root,ben@example.org?from=me@example.org", "mailto:root,ben@example.org"),
    ])
  func names(text: String, name: String) throws {
    #expect(try FilteredChannel(text).channel.description == name)
  }

  @Test(
    "An invalid address is an error with a correction",
    arguments: [
      ("", "unknown channel"), ("ftp://example.org", "unknown channel"),
      ("exec:ring", "absolute path"), ("-?colour=red", "unknown parameter 'colour'"),
      ("-?kind=arrive", "unknown kind of alarm 'arrive'; use enter, leave"),
      ("-?list=%zz", "two hexadecimal digits"),
      ("https://", "https://HOST/PATH"), ("https:///path", "https://HOST/PATH"),
      ("https://example.org/#part", "https://HOST/PATH"),
      ("https://example.org/?secret=", "missing secret"),
      ("https://example.org/?secret-file=key", "missing secret"),
      ("https://example.org/?secret=a&secret=b", "given twice"),
      ("https://example.org/?secret=a&secret-env=b", "use only one of"),
      ("mailto:", "invalid mail address"), ("mailto:a b@example.org", "invalid mail address"),
      ("mailto:-oX/etc/passwd", "invalid mail address"), ("mailto:a@b%0ABcc:c@d", "invalid mail address"),
      ("mailto:a@b,", "invalid mail address"), ("mailto:a@b@c", "invalid mail address"),
      ("mailto:a@b?sendmail=msmtp", "absolute path"), ("mailto:a@b?subject=x", "unknown parameter 'subject'"),
    ])
  func refused(text: String, advice: String) {
    let error = #expect(throws: AddressError.self) { try FilteredChannel(text) }
    #expect(error?.description.contains(advice) == true, "\(error?.description ?? "")")
  }

  @Test(
    "An unencrypted address causes a warning",
    arguments: [
      ("http://localhost/", false), ("http://127.0.0.1/", false), ("http://[::1]:8080/x", false),
      ("https://example.org/", false), ("http://example.org/", true), ("http://127.evil.example.org/", true),
      ("http://127.0.0.1.example.org/", true), ("http://[2001:db8::1]/", true),
    ])
  func plain(text: String, isPlain: Bool) throws {
    let caution = try FilteredChannel(text).channel.caution
    #expect((caution?.contains("others on the network can read") == true) == isPlain)
  }

  @Test("Errors show nothing after the question mark")
  func secrets() {
    let error = #expect(throws: AddressError.self) {
      try FilteredChannel("https://example.org/?secret=hush&secret-env=X")
    }
    #expect(error?.description.contains("hush") == false)
  }

  private let entry = LedgerEntry(
    number: 1,
    firing: Firing(
      kind: .enter, time: LiveAlarmFixture.start, alarm: .init(rawValue: "a"), item: .init(rawValue: "i")),
    context: FiringContext(
      itemTitle: "Milk", isReminder: true, list: .init(rawValue: "LIST-ID"), listTitle: "Errands",
      message: nil))

  @Test(
    "A filter accepts the kinds and lists that it names",
    arguments: [
      ("-", true), ("-?list=Errands", true), ("-?list=Work", false), ("-?list=Work&list=Errands", true),
      ("-?list=LIST-ID", true), ("-?kind=enter", true), ("-?kind=leave", false),
      ("-?kind=leave&kind=enter&list=Errands", true), ("-?kind=enter&list=Work", false),
      ("-?list=%45rrands", true),
    ])
  func filter(text: String, isAdmitted: Bool) throws {
    #expect(try FilteredChannel(text).filter.admits(.firing(entry)) == isAdmitted)
  }

  @Test(
    "An address with its filter can be parsed again",
    arguments: [
      ("-?kind=enter&list=Home%20and%20away", "-?list=Home and away&kind=enter"),
      ("-?list=A%26B&list=100%25", "-?list=A%26B&list=100%25"),
      ("https://example.org/?token=a&list=A&secret=s", "https://example.org/?token=…&list=A"),
    ])
  func described(text: String, description: String) throws {
    #expect(try FilteredChannel(text).description == description)
  }
}
