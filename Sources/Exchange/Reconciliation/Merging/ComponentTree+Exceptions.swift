import FencepostICalendar

extension ComponentTree {
  /// A series without the EXDATE of a changed occurrence; any other component as it is. A program that
  /// removes a changed occurrence adds that EXDATE, and if the change wins, the occurrence takes place.
  func reinstating(_ occurrence: ComponentTree) -> ComponentTree {
    guard name == occurrence.name, text(of: "UID") == occurrence.text(of: "UID"),
      text(of: "RECURRENCE-ID") == nil, let excluded = Self.exception(for: occurrence)
    else { return self }
    var series = self
    series.lines = lines.flatMap { line -> [String] in
      guard line.hasPrefix("EXDATE"), let elements = PreservedProperty(line)?.elements,
        elements.contains(excluded)
      else { return [line] }
      return elements.filter { $0 != excluded }
    }
    return series
  }

  /// The EXDATE that excludes a changed occurrence, in the normal form.
  private static func exception(for occurrence: ComponentTree) -> String? {
    let name = "RECURRENCE-ID"
    guard let line = occurrence.lines.first(where: { $0.hasPrefix(name) }) else { return nil }
    let plain = line.dropFirst(name.count).replacing(";RANGE=THISANDFUTURE", with: "")
    return PreservedProperty("EXDATE" + plain)?.elements?.first
  }
}
