// Code in Apple's style around UserNotifications, which must compile, and take the way of a user who said no.

import CoreLocation
import Testing
import UserNotifications

@Suite("Programs with notifications")
struct NotificationPrograms {
  /// As an app does it that reminds at a place.
  private func remind(at region: CLCircularRegion) async throws -> Bool {
    let center = UNUserNotificationCenter.current()
    guard try await center.requestAuthorization(options: [.alert, .sound]) else { return false }
    let content = UNMutableNotificationContent()
    content.title = "Bakery"
    content.sound = .default
    region.notifyOnExit = false
    let trigger = UNLocationNotificationTrigger(region: region, repeats: true)
    try await center.add(UNNotificationRequest(identifier: "bakery", content: content, trigger: trigger))
    return true
  }

  @Test("An app hears that it may not show any, and why")
  func refused() async throws {
    let region = CLCircularRegion(
      center: CLLocationCoordinate2D(latitude: 52.4, longitude: 13.1), radius: 80, identifier: "bakery")
    #expect(try await remind(at: region) == false)
    let center = UNUserNotificationCenter.current()
    let request = UNNotificationRequest(identifier: "1", content: UNNotificationContent(), trigger: nil)
    let error = await #expect(throws: UNError.self) { try await center.add(request) }
    #expect(error?.code == .notificationsNotAllowed)
    #expect(error?.localizedDescription.contains("Add a reminder with an alarm") == true)
    #expect(await center.pendingNotificationRequests().isEmpty)
  }

  @Test("A request keeps its content as it was")
  func copies() {
    let content = UNMutableNotificationContent()
    content.title = "Before"
    content.userInfo = ["key": 1]
    let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: false)
    let request = UNNotificationRequest(identifier: "1", content: content, trigger: trigger)
    content.title = "After"
    #expect(request.content.title == "Before" && request.content.userInfo["key"] as? Int == 1)
    #expect((request.content.mutableCopy() as? UNMutableNotificationContent)?.title == "Before")
    #expect((request.trigger as? UNTimeIntervalNotificationTrigger)?.timeInterval == 60)
  }
}
