public import FencepostCalendarModel
public import FencepostCalendarStore

extension StoreWriter {
  /// Moves a reminder by hand to another place among its siblings: the reminders of its list with the same
  /// parent.
  ///
  /// It gets a number between its new neighbours. Where there is none, those after it move on as far as
  /// they must, so that few reminders change.
  ///
  /// - Parameters:
  ///   - item: The reminder as the store has it.
  ///   - previous: The sibling before it; `nil` for the first place.
  ///   - now: The time of the change.
  /// - Returns: The reminder afterwards.
  /// - Throws: ``ActionError`` if it is an event, its list is read-only or `previous` is no sibling, or `StoreError`.
  public borrowing func place(
    _ item: CalendarItem, after previous: Identifier<CalendarItem>?, at now: Instant
  ) throws -> CalendarItem {
    guard !item.isEvent else { throw ActionError.notAReminder(title: item.title) }
    try reader.calendar(item.calendar)?.checkChangeable()
    var siblings = try reader.reminders(in: item.calendar).filter {
      $0.parentUID == item.parentUID && $0.detachment == nil && $0.id != item.id
    }
    siblings.sort { $0.precedesManually($1) }
    var index = 0
    if let previous {
      guard let found = siblings.firstIndex(where: { $0.id == previous }) else {
        throw ActionError.noSibling(title: item.title)
      }
      index = found + 1
    }
    var orders = siblings.map(\.manualOrder)
    orders.insert(
      ManualOrder.between(orders[..<index].last, index < orders.count ? orders[index] : nil), at: index)
    siblings.insert(item, at: index)
    ManualOrder.spread(&orders, from: index)
    for (position, order) in orders.enumerated().dropFirst(index) {
      guard position == index || order != siblings[position].manualOrder else { break }
      siblings[position].setManualOrder(order, at: now)
      try save(siblings[position])
    }
    return siblings[index]
  }
}

extension StoreReader {
  /// The reminders of a list, done ones too.
  fileprivate borrowing func reminders(
    in list: Identifier<ItemCalendar>
  ) throws(StoreError) -> [CalendarItem] {
    var selection = ItemSelection()
    (selection.isEvent, selection.calendars) = (false, [list])
    return try items(selection, offset: 0, limit: .max).page
  }
}

/// Numbers for an order by hand.
enum ManualOrder {
  /// A number after `previous` and before `next`; after `previous` if there is none between.
  static func between(_ previous: Int64?, _ next: Int64?) -> Int64 {
    switch (previous, next) {
    case (nil, nil): 0
    case (let previous?, nil): previous + 1
    case (nil, let next?): next - 1
    case (let previous?, let next?): next > previous ? previous + max(1, (next - previous) / 2) : previous + 1
    }
  }

  /// Makes the numbers after a place grow.
  static func spread(_ orders: inout [Int64], from index: Int) {
    for position in orders.indices.dropFirst(index + 1) where orders[position] <= orders[position - 1] {
      orders[position] = orders[position - 1] + 1
    }
  }
}
