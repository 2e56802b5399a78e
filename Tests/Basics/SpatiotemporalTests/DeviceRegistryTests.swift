import FencepostSpatiotemporal
import Testing

@Suite("Numbers of devices")
struct DeviceRegistryTests {
  @Test("A temporary, released number goes to another device")
  func released() {
    let devices = DeviceRegistry()
    let (a, b) = (devices.temporaryNumber(of: "a"), devices.number(of: "b"))
    #expect(a != b && devices.temporaryNumber(of: "a") == a)
    #expect(devices.release("a"))
    #expect(devices.name(of: a) == "" && devices.names == ["", "b"])
    #expect(devices.temporaryNumber(of: "c") == a && devices.name(of: a) == "c")
    #expect(devices.temporaryNumber(of: "a") != a)
    #expect(devices.names == ["c", "b", "a"])
  }

  @Test("A query for a device's number assigns none")
  func known() {
    let devices = DeviceRegistry()
    #expect(devices.known("a") == nil && devices.names.isEmpty)
    let a = devices.temporaryNumber(of: "a")
    #expect(devices.known("a") == a && devices.release("a") && devices.known("a") == nil)
  }

  @Test("A number that is requested permanently is kept, even if it was temporary before")
  func kept() {
    let devices = DeviceRegistry()
    let a = devices.temporaryNumber(of: "a")
    #expect(devices.number(of: "a") == a)
    _ = devices.number(of: "b")
    #expect(!devices.release("a") && !devices.release("b") && !devices.release("nobody"))
    #expect(devices.names == ["a", "b"])
  }
}
