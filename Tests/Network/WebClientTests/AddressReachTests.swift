import Testing

@testable import FencepostWebClient

@Suite("Addresses that one request may connect to")
struct AddressReachTests {
  @Test(
    "A server outside can't lead inside, but one inside may lead outside",
    arguments: [
      (false, [true, false], [true, false]), (false, [false, false], [true, true]),
      (false, [false, true, false], [true, true, false]), (true, [false], [false]),
      (true, [true, false, true], [true, false, true]),
    ])
  func redirections(isPublicOnly: Bool, connections: [Bool], admitted: [Bool]) {
    var reach = AddressReach(isPublicOnly: isPublicOnly)
    #expect(connections.map { reach.admits(isPublic: $0) } == admitted)
  }
}
