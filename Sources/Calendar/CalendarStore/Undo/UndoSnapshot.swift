import FencepostCalendarModel
import FencepostDatabase

/// The state of the things that steps touch, before undo or redo.
struct UndoSnapshot {
  private var titled: [UndoSubject: String] = [:]
  private var existed: Set<UndoSubject> = []
  private var order: [UndoSubject] = []
  private let lists: [ItemCalendar]
  private let sources: [Source]

  init(of steps: [UndoStepRow], in reader: borrowing StoreReader) throws(StoreError) {
    lists = try reader.calendars()
    sources = try reader.sources()
    for step in steps {
      for one in try reader.touched(step) where titled[one] == nil && !existed.contains(one) {
        order.append(one)
        guard let title = try reader.title(one) else { continue }
        titled[one] = title
        existed.insert(one)
      }
    }
  }

  /// The effects since then.
  func effects(in reader: borrowing StoreReader) throws(StoreError) -> [UndoEffect] {
    var effects: [UndoEffect] = []
    var seen: Set<UndoSubject> = []
    for one in order where seen.insert(one).inserted {
      let title = try reader.title(one)
      guard title != nil || existed.contains(one) else { continue }
      // A store's first items create default lists, which stay.
      switch one.entity {
      case .calendar:
        let id = Identifier<ItemCalendar>(rawValue: one.id)
        if try reader.calendar(id) == lists.first(where: { $0.id == id }) { continue }
      case .source:
        let id = Identifier<Source>(rawValue: one.id)
        if try reader.source(id) == sources.first(where: { $0.id == id }) { continue }
      default: break
      }
      let kind: StoreChange.Kind =
        title == nil ? .removed : existed.contains(one) ? .updated : .inserted
      effects.append(
        UndoEffect(entity: one.entity, id: one.id, kind: kind, title: title ?? titled[one] ?? one.id))
    }
    return effects
  }
}
