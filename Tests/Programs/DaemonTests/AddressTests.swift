import FencepostChannels
import FencepostLiveFeeds
import FencepostAddresses
import Testing

@testable import FencepostDaemon

@Suite("Addresses of feeds and brokers")
struct AddressTests {
  @Test(
    "A feed's address is shown as given, without secrets",
    arguments: [
      ("-", "-"), ("/tmp/pipe", "/tmp/pipe"), ("file:///tmp/a", "/tmp/a"), ("tail:/tmp/a", "tail:/tmp/a"),
      ("nmea:///dev/ttyUSB0", "nmea:///dev/ttyUSB0?baud=9600"),
      ("nmea:///dev/ttyUSB0?baud=4800", "nmea:///dev/ttyUSB0?baud=4800"),
      ("gpsd://", "gpsd://localhost:2947"), ("gpsd://car:3000", "gpsd://car:3000"),
      ("http://127.0.0.1:8080", "http://127.0.0.1:8080"), ("http://localhost", "http://localhost:8085"),
      ("http://[::1]:8080/pub", "http://[::1]:8080/pub"), ("HTTP://localhost", "http://localhost:8085"),
      ("gpsd://[::1]", "gpsd://[::1]:2947"), ("/tmp/what?.csv", "/tmp/what?.csv"),
      ("http://0.0.0.0:8080/pub?token=a%26b%23", "http://0.0.0.0:8080/pub"),
      ("http://ann:s3cret@0.0.0.0:8080", "http://0.0.0.0:8080"),
      ("http://0.0.0.0:8080/pub?token=s3cret", "http://0.0.0.0:8080/pub"),
      ("mqtt://localhost", "mqtt://localhost:1883/owntracks/+/+"),
      ("mqtts://ann:s3cret@example.org/o/#", "mqtts://ann@example.org:8883/o/#"),
      ("mqtts://example.org:1/a?cafile=/etc/ca.pem", "mqtts://example.org:1/a"),
      ("geoclue", "geoclue"), ("geoclue:", "geoclue"), ("geoclue:org.example.App", "geoclue:org.example.App"),
    ])
  func feeds(text: String, shown: String) throws {
    #expect(try FeedAddress(text).description == shown)
  }

  @Test(
    "A channel's address is shown as given, without secrets",
    arguments: [
      ("mqtt://localhost", "mqtt://localhost:1883/fencepost/firings"),
      ("mqtts://ann:s3cret@h/a/b?format=json&cafile=/ca", "mqtts://ann@h:8883/a/b"),
      ("mqtt://h?format=owntracks", "mqtt://h:1883/owntracks?format=owntracks"),
      ("mqtt://h/x?format=homeassistant", "mqtt://h:1883/x?format=homeassistant"),
    ])
  func channels(text: String, shown: String) throws {
    #expect(try FilteredChannel(text).channel.description == shown)
  }

  @Test(
    "An invalid address is an error with a correction, and without secrets",
    arguments: [
      ("http://0.0.0.0:8080", "anyone on the network could send"),
      ("http://[::]:8080", "anyone on the network could send"),
      ("http://example.org", "anyone on the network could send"),
      ("http://127.0.0.1.example.org", "anyone on the network could send"),
      ("http://127.evil.example.org", "anyone on the network could send"),
      ("http://ann@0.0.0.0", "a user needs a name and a password"),
      ("http://:s3cret@0.0.0.0", "a user needs a name and a password"),
      ("http://0.0.0.0?token=", "the token is empty"),
      ("http://127.0.0.1?rate=1", "unknown parameter 'rate'; use token, waypoints"),
      ("http://0.0.0.0?token=s3cret&token=b", "'token' is given twice"),
      ("nmea:///dev/x?baund=4800", "unknown parameter 'baund'; use baud"),
      ("nmea:///dev/x?baud=4800&baud=9600", "'baud' is given twice"),
      ("gpsd://host/dev?x=1", "unknown parameter 'x'; this address has no parameters"),
      ("file:///a?x=1", "unknown parameter 'x'; this address has no parameters"),
      ("http://ann:s3?cret@0.0.0.0", "…@0.0.0.0"),
      ("http://ann:s3cret@0.0.0.0:99999", "invalid port 99999"),
      ("http://0.0.0.0:99999?token=s3cret", "invalid port 99999"),
      ("mqtt://", "missing host"),
      ("mqtt://:s3cret@h", "a password needs a user"),
      ("mqtt://h/a/#/b", "invalid topic filter 'a/#/b'"), ("mqtt://h/a+/b", "invalid topic filter 'a+/b'"),
      ("mqtt://h?cafile=/ca", "needs mqtts://"),
      ("mqtts://h/?tls=0", "unknown parameter 'tls'; use cafile, waypoints"),
      ("gopher://h", "unknown feed 'gopher'"), ("nmea://", "missing device"),
      ("nmea:///dev/x?baud=1", "invalid baud rate '1'"), ("tail:", "missing path"),
      ("", "missing address"),
      ("http://ann:s3cret/@0.0.0.0", ""),
    ])
  func refused(text: String, words: String) {
    let error = #expect(throws: AddressError.self) { try FeedAddress(text) }
    #expect(error?.description.contains(words) == true)
    #expect(error?.description.contains("s3cret") == false)
  }

  @Test(
    "An invalid channel is an error with a correction",
    arguments: [
      ("mqtt://h?format=xml", "unknown format 'xml'; use json, owntracks, homeassistant"),
      ("mqtt://h/a/+", "'a/+' is a filter"), ("mqtt://h?qos=2", "unknown parameter 'qos'"),
    ])
  func refusedChannels(text: String, words: String) {
    let error = #expect(throws: AddressError.self) { try FilteredChannel(text) }
    #expect(error?.description.contains(words) == true)
  }

  @Test(
    "An address with a secret is recognised",
    arguments: [
      ("http://127.0.0.1:1", "-", true), ("http://ann:pw@127.0.0.1:1", "-", false),
      ("http://127.0.0.1:1?token=t", "-", false), ("mqtts://ann@h", "mqtt://h", true),
      ("mqtts://ann:pw@h", "-", false), ("-", "mqtts://ann:pw@h/x", false),
      ("-", "https://h/x?list=a&secret-file=/k", true), ("-", "https://h/x?secret=s", false),
      ("-", "https://ann:pw@h/x", false), ("-", "https://h/x?Token=t", false),
      ("-", "https://h/x?room=t", true),
    ])
  func secrets(feed: String, channel: String, isWithout: Bool) throws {
    var configuration = DaemonConfiguration(socket: "/tmp/socket")
    configuration.feeds = [try FeedAddress(feed)]
    configuration.deliveries = [try FilteredChannel(channel)]
    #expect(configuration.isWithoutSecrets == isWithout)
  }
}
