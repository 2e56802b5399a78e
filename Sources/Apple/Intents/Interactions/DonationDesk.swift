import EventKit
import FencepostCalendarStore
import FencepostInterchange
import FencepostJSON
import FencepostRecurrence
import FencepostReservations
import Foundation

/// Adds an app's donations to the inbox of a store.
struct DonationDesk {
  let open: OpenStore
  let app: AppIdentity

  /// This program's, in the store that EventKit uses.
  static func standard() throws -> DonationDesk {
    try DonationDesk(open: OpenStore.at(.standard), app: .current)
  }

  /// Donates the reservations of an interaction, all or none.
  func donate(_ interaction: INInteraction) throws {
    guard
      let booked = (interaction.intentResponse as? INGetReservationDetailsIntentResponse)?.reservations,
      !booked.isEmpty
    else { return }
    let resolver = TimeResolver(zones: open.zones, floating: nil)
    let terms = BookingTerms(resolver: resolver)
    let reader = ReservationReader(finder: ZoneFinder(zones: resolver.zones))
    let reservations = try booked.map { booked in
      var reservation = terms.reservation(booked)
      reservation.provider = reservation.provider ?? app.title
      // Like a mail: texts are cleaned, zones are found by places, and a reservation without an event is refused.
      guard let read = reader.reservations(inJSON: Array(reservation.jsonLD.line.utf8)).first else {
        throw InterchangeError(
          "'\(booked.itemReference.spokenPhrase)' needs a place and a start before its end")
      }
      return read
    }
    let now = Date().instant
    let donation = Donation(
      app: app.name, identifier: interaction.identifier, group: interaction.groupIdentifier,
      intent: interaction.intent.launchText(url: booked.first?.url))
    let inbox = try open.store.read {
      try SuggestionInbox($0, resolver: resolver, alarms: ReservationAlarms(), at: now)
    }
    try open.store.write { try inbox.take(donation, of: reservations, in: $0) }
    open.checkForChanges()
  }

  /// Withdraws donations of this app.
  func withdraw(_ choice: Donation.Choice) throws {
    try open.store.write { try $0.withdrawDonations(of: app.name, choice) }
  }
}

extension INIntent {
  /// The data for the app when a person opens the reservation in it: JSON on one line.
  func launchText(url: URL?) -> String {
    var line = JSONLine(type: "intent")
    line.add("intent", "\(Swift.type(of: self))")
    if let identifier { line.add("identifier", identifier) }
    if let details = self as? INGetReservationDetailsIntent {
      if let reference = details.reservationContainerReference { line.add("container", reference.json) }
      if let references = details.reservationItemReferences { line.add("items", references.map(\.json)) }
    }
    if let url { line.add("url", url.absoluteString) }
    return line.line
  }
}

extension INSpeakableString {
  fileprivate var json: JSONLine {
    var line = JSONLine()
    if let vocabularyIdentifier { line.add("identifier", vocabularyIdentifier) }
    line.add("phrase", spokenPhrase)
    if let pronunciationHint { line.add("pronunciation", pronunciationHint) }
    return line
  }
}
