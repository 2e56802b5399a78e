import FencepostCalendarModel
import FencepostICalendar

/// Performs an ``ObjectMerge``: walks three trees in parallel.
struct TreeMerge {
  /// True if the remote text is the base in another spelling: then only local changes exist.
  private let isPatch: Bool
  private(set) var losses: [MergeLoss] = []
  private var winner = MergeLoss.Side.remote
  private var title = ""
  private var occurrence: String?
  /// The side that moved the series to another start: its dates and changed occurrences belong to the new
  /// start.
  private var mover: MergeLoss.Side?
  /// Changed occurrences that one side had removed.
  private var reinstated: [ComponentTree] = []

  init(isPatch: Bool = false) { self.isPatch = isPatch }

  /// Merges VCALENDARs. Takes their own properties from the remote side.
  mutating func calendar(
    _ base: ComponentTree, _ local: ComponentTree, _ remote: ComponentTree
  ) -> ComponentTree {
    func isZone(_ component: ComponentTree) -> Bool { component.name == "VTIMEZONE" }
    if !isPatch { mover = Self.mover(base, local, remote) }
    var merged = ComponentTree(name: remote.name, lines: remote.lines)
    var items = children(
      base.components.filter { !isZone($0) }, local.components.filter { !isZone($0) },
      remote.components.filter { !isZone($0) }, in: remote.name)
    for occurrence in reinstated { items = items.map { $0.reinstating(occurrence) } }
    let zones = remote.components.filter(isZone)
    let known = Set(zones.map { $0.text(of: "TZID") })
    let used = items.reduce(into: Set<String>()) { $1.addZones(to: &$0) }
    let missing = local.components.filter { zone in
      guard isZone(zone), let name = zone.text(of: "TZID") else { return false }
      return !known.contains(name) && used.contains(name)
    }
    merged.components = zones + missing + items
    return merged
  }

  private static func mover(
    _ base: ComponentTree, _ local: ComponentTree, _ remote: ComponentTree
  ) -> MergeLoss.Side? {
    guard let old = base.series, let ours = local.series, let theirs = remote.series else { return nil }
    switch (ours.start != old.start, theirs.start != old.start) {
    case (false, false): return nil
    case (true, false): return .local
    case (false, true): return .remote
    case (true, true):
      if ours.start == theirs.start { return nil }
      return ours.revision > theirs.revision ? .local : .remote
    }
  }

  /// True if an occurrence of one side has no place in the series that the other side moved. Notes the loss.
  private mutating func drops(_ occurrence: ComponentTree, of side: MergeLoss.Side) -> Bool {
    guard let mover, mover != side, occurrence.text(of: "RECURRENCE-ID") != nil else { return false }
    recordLoss(side, occurrence, property: occurrence.name, kept: [], lost: occurrence.summary)
    return true
  }

  // MARK: Components

  /// Merges the child components.
  private mutating func children(
    _ base: [ComponentTree], _ local: [ComponentTree], _ remote: [ComponentTree], in parent: String
  ) -> [ComponentTree] {
    if base.isEmpty && local.isEmpty && remote.isEmpty { return [] }
    let bases = KeyedComponents(base)
    let locals = KeyedComponents(local)
    let remotes = KeyedComponents(remote, like: isPatch ? base : nil)
    var merged: [ComponentTree] = []
    for (key, theirs) in remotes.entries {
      let old = bases[key]
      if let ours = locals[key] {
        merged.append(component(old, ours, theirs))
      } else if let old {
        if !isPatch && theirs.meaning != old.meaning && !drops(theirs, of: .remote) {
          // The removal loses.
          recordLoss(.local, theirs, property: theirs.name, kept: theirs.summary, lost: [])
          if theirs.text(of: "RECURRENCE-ID") != nil { reinstated.append(theirs) }
          merged.append(theirs)
        }
      } else if !drops(theirs, of: .remote) {
        merged.append(theirs)
      }
    }
    for (key, ours) in locals.entries where remotes[key] == nil {
      guard let old = bases[key] else {
        if !drops(ours, of: .local) { merged.append(ours) }
        continue
      }
      if isPatch || ours.meaning != old.meaning && !drops(ours, of: .local) {
        if !isPatch {
          recordLoss(.remote, ours, property: ours.name, kept: ours.summary, lost: [])
          if ours.text(of: "RECURRENCE-ID") != nil { reinstated.append(ours) }
        }
        merged.append(ours)
      }
    }
    return merged
  }

  /// Merges two versions of a component.
  private mutating func component(
    _ base: ComponentTree?, _ local: ComponentTree, _ remote: ComponentTree
  ) -> ComponentTree {
    if local == remote || base == local { return remote }
    if !isPatch && base == remote { return local }
    let outer = (winner, title, occurrence)
    defer { (winner, title, occurrence) = outer }
    if KeyedComponents.items.contains(remote.name) {
      winner = local.revision > remote.revision ? .local : .remote
      title = remote.text(of: "SUMMARY") ?? local.text(of: "SUMMARY") ?? ""
      occurrence = remote.text(of: "RECURRENCE-ID")
    }
    let (old, ours, theirs) = (base.map(Units.init) ?? Units(), Units(local), Units(remote))
    var choices: [PropertyUnit: Choice] = [:]
    var merged = ComponentTree(name: remote.name)
    for (line, unit) in theirs.lines {
      let isFirst = choices[unit] == nil
      let choice = choices[unit] ?? choose(unit, old[unit], ours[unit], theirs[unit])
      choices[unit] = choice
      switch choice {
      case .remote: merged.lines.append(line)
      case .other(let content): if isFirst { merged.lines += content.lines }
      }
    }
    for unit in ours.order where choices[unit] == nil {
      let choice = choose(unit, old[unit], ours[unit], theirs[unit])
      choices[unit] = choice
      if case .other(let content) = choice { merged.lines += content.lines }
    }
    if case .other(let content)? = choices[.place] {
      merged.components += content.components
    } else {
      merged.components += theirs[.place].components
    }
    func others(_ tree: ComponentTree?) -> [ComponentTree] {
      tree?.components.filter { !PropertyUnit.isPlace($0) } ?? []
    }
    merged.components += children(others(base), others(local), others(remote), in: remote.name)
    return merged
  }

  // MARK: Properties

  /// The decision about a unit.
  private enum Choice {
    /// Take the remote side's value.
    case remote
    case other(UnitContent)
  }

  private mutating func choose(
    _ unit: PropertyUnit, _ base: UnitContent, _ local: UnitContent, _ remote: UnitContent
  ) -> Choice {
    let (old, ours, theirs) = (base.meaning, local.meaning, remote.meaning)
    if let mover, ours != theirs, occurrence == nil, PropertyUnit.dates.contains(unit) {
      let (moved, other) = mover == .local ? (ours, theirs) : (theirs, ours)
      if other != old && (moved != old || unit != .single("RRULE")) {
        return settle(unit, local, remote, winner: mover)
      }
    }
    if ours == old { return .remote }
    if isPatch { return isPlural(unit, base, local, remote) ? elements(base, local, remote) : .other(local) }
    if ours == theirs { return .remote }
    if theirs == old { return .other(local) }
    if isPlural(unit, base, local, remote) { return elements(base, local, remote) }
    if case .single(let name) = unit, PropertyUnit.stamps.contains(name) {
      return local.stamp > remote.stamp ? .other(local) : .remote
    }
    if unit == .state, local.isCompleted != remote.isCompleted {
      return settle(unit, local, remote, winner: local.isCompleted ? .local : .remote)
    }
    return settle(unit, local, remote, winner: winner)
  }

  /// Takes the winner's value and records the other one.
  private mutating func settle(
    _ unit: PropertyUnit, _ local: UnitContent, _ remote: UnitContent, winner: MergeLoss.Side
  ) -> Choice {
    let isLocal = winner == .local
    losses.append(
      MergeLoss(
        loser: isLocal ? .remote : .local, title: title, occurrence: occurrence, property: unit.name,
        kept: (isLocal ? local : remote).lines, lost: (isLocal ? remote : local).lines))
    return isLocal ? .other(local) : .remote
  }

  private func isPlural(
    _ unit: PropertyUnit, _ base: UnitContent, _ local: UnitContent, _ remote: UnitContent
  ) -> Bool {
    guard case .single(let name) = unit else { return false }
    return PropertyUnit.plural.contains(name) || [base, local, remote].contains { $0.lines.count > 1 }
  }

  /// Merges the values of a property one by one, with the additions and removals of both sides.
  private mutating func elements(
    _ base: UnitContent, _ local: UnitContent, _ remote: UnitContent
  ) -> Choice {
    let (old, ours, theirs) = (base.elements, local.elements, remote.elements)
    var merged: [String] = []
    for (key, line) in theirs.entries {
      switch (old[key], ours[key]) {
      case (nil, nil): merged.append(line)
      // Removed locally, whether or not changed remotely.
      case (let before?, nil):
        if !isPatch && !before.isSameLine(as: line) { merged.append(line) }
      case (let before, let mine?):
        let isMine = before.map { isPatch || line.isSameLine(as: $0) } ?? isPatch
        if mine.isSameLine(as: line) || before?.isSameLine(as: mine) == true {
          merged.append(line)
        } else if isMine || winner == .local {
          if !isMine { recordLossOfElement(.remote, kept: mine, lost: line) }
          merged.append(mine)
        } else {
          recordLossOfElement(.local, kept: line, lost: mine)
          merged.append(line)
        }
      }
    }
    for (key, line) in ours.entries where theirs[key] == nil {
      guard let before = old[key] else {
        merged.append(line)
        continue
      }
      if isPatch || !before.isSameLine(as: line) { merged.append(line) }
    }
    return .other(UnitContent(lines: merged))
  }

  // MARK: Losses

  private mutating func recordLossOfElement(_ loser: MergeLoss.Side, kept: String, lost: String) {
    losses.append(
      MergeLoss(
        loser: loser, title: title, occurrence: occurrence,
        property: PreservedProperty(kept)?.name ?? "", kept: [kept], lost: [lost]))
  }

  private mutating func recordLoss(
    _ loser: MergeLoss.Side, _ component: ComponentTree, property: String, kept: [String], lost: [String]
  ) {
    let isItem = KeyedComponents.items.contains(component.name)
    losses.append(
      MergeLoss(
        loser: loser, title: isItem ? component.text(of: "SUMMARY") ?? "" : title,
        occurrence: isItem ? component.text(of: "RECURRENCE-ID") : occurrence, property: property,
        kept: kept, lost: lost))
  }
}

extension ComponentTree {
  /// The item with the rule or dates by which it repeats.
  fileprivate var series: ComponentTree? {
    components.first { item in
      KeyedComponents.items.contains(item.name) && item.text(of: "RECURRENCE-ID") == nil
        && (item.text(of: "RRULE") ?? item.text(of: "RDATE")) != nil
    }
  }

  /// When it starts, in one spelling.
  fileprivate var start: String? {
    lines.lazy.compactMap(PreservedProperty.init).first { $0.name == "DTSTART" }
      .map { property in property.zonedInstant.map { "\($0.microseconds)" } ?? property.canonical }
  }
}

extension String {
  fileprivate func isSameLine(as other: String) -> Bool {
    self == other || PreservedProperty(self)?.canonical == PreservedProperty(other)?.canonical
  }
}
