import CoreGraphics
import EventKit
import Testing

@Test func color() {
  #expect(CGColor(red: 1, green: 0, blue: 0, alpha: 1).alpha == 1)
}
