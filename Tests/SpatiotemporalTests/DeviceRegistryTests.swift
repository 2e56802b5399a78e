import Spatiotemporal
import Testing

@Suite("Numbers of devices")
struct DeviceRegistryTests {
  @Test("A lent and released number goes to another device")
  func released() {
    let devices = DeviceRegistry()
    let (a, b) = (devices.lend(to: "a"), devices.number(of: "b"))
    #expect(a != b && devices.lend(to: "a") == a)
    #expect(devices.release("a"))
    #expect(devices.name(of: a) == "" && devices.names == ["", "b"])
    #expect(devices.lend(to: "c") == a && devices.name(of: a) == "c")
    #expect(devices.lend(to: "a") != a)
    #expect(devices.names == ["c", "b", "a"])
  }

  @Test("A query for a device's number assigns none")
  func known() {
    let devices = DeviceRegistry()
    #expect(devices.known("a") == nil && devices.names.isEmpty)
    let a = devices.lend(to: "a")
    #expect(devices.known("a") == a && devices.release("a") && devices.known("a") == nil)
  }

  @Test("A number that is requested permanently is kept, even if it was lent before")
  func kept() {
    let devices = DeviceRegistry()
    let a = devices.lend(to: "a")
    #expect(devices.number(of: "a") == a)
    _ = devices.number(of: "b")
    #expect(!devices.release("a") && !devices.release("b") && !devices.release("nobody"))
    #expect(devices.names == ["a", "b"])
  }
}
