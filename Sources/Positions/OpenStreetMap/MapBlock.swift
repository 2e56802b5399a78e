/// One block of data: its strings, and its nodes, ways and relations as they are asked for.
struct MapBlock {
  /// What of a thing is read beside its number.
  struct Relation {
    var id: Int64
    /// The ways of its outer outline.
    var outer: [Int64]
  }

  /// More are not written: a block has at most 8,000 things.
  private static let maximumStrings = 2_000_000
  /// More nodes of a way, or members of a relation, are not written: OpenStreetMap allows 2,000 and 32,000.
  private static let maximumMembers = 100_000

  private var strings: [UnsafeRawBufferPointer] = []
  private var groups: [UnsafeRawBufferPointer] = []
  private var granularity: Int64 = 100
  private var latitudeOffset: Int64 = 0
  private var longitudeOffset: Int64 = 0
  /// The numbers of strings that are keys of tags that are read.
  private var keys: [Int: String] = [:]

  init(_ bytes: UnsafeRawBufferPointer) throws(ProtobufReader.Damage) {
    var reader = ProtobufReader(bytes)
    while let (number, value) = try reader.next() {
      switch (number, value) {
      case (1, .bytes(let table)):
        var texts = ProtobufReader(table)
        while let (number, value) = try texts.next() {
          guard number == 1, case .bytes(let text) = value else { continue }
          guard strings.count < Self.maximumStrings else { throw ProtobufReader.Damage() }
          strings.append(text)
        }
      case (2, .bytes(let group)): groups.append(group)
      case (17, .number(let units)): granularity = Int64(clamping: units)
      case (19, .number(let offset)): latitudeOffset = Int64(bitPattern: offset)
      case (20, .number(let offset)): longitudeOffset = Int64(bitPattern: offset)
      default: break
      }
    }
    for (index, text) in strings.enumerated() where text.count <= 20 {
      let key = String(decoding: text, as: UTF8.self)
      if MapTags.keys.contains(key) { keys[index] = key }
    }
  }

  // MARK: Nodes

  /// Calls `body` with the number, the latitude and the longitude of each node, in units of 10⁻⁷ degrees,
  /// and its tags.
  ///
  /// - Parameter hasTags: Whether to read the tags; otherwise they are empty.
  func forEachNode(
    hasTags: Bool, _ body: (Int64, Int32, Int32, MapTags) -> Void
  ) throws(ProtobufReader.Damage) {
    for group in groups {
      var reader = ProtobufReader(group)
      while let (number, value) = try reader.next() {
        switch (number, value) {
        case (1, .bytes(let node)): try single(node, hasTags: hasTags, body)
        case (2, .bytes(let nodes)): try dense(nodes, hasTags: hasTags, body)
        default: break
        }
      }
    }
  }

  private func single(
    _ bytes: UnsafeRawBufferPointer, hasTags: Bool, _ body: (Int64, Int32, Int32, MapTags) -> Void
  ) throws(ProtobufReader.Damage) {
    var reader = ProtobufReader(bytes)
    var (id, latitude, longitude): (Int64, Int64, Int64) = (0, 0, 0)
    var (names, values): (UnsafeRawBufferPointer?, UnsafeRawBufferPointer?)
    while let (number, value) = try reader.next() {
      switch (number, value) {
      case (1, .number(let one)): id = ProtobufReader.signed(one)
      case (2, .bytes(let list)): names = list
      case (3, .bytes(let list)): values = list
      case (8, .number(let one)): latitude = ProtobufReader.signed(one)
      case (9, .number(let one)): longitude = ProtobufReader.signed(one)
      default: break
      }
    }
    guard let place = degrees(latitude, longitude) else { return }
    body(id, place.latitude, place.longitude, hasTags ? try tags(names, values) : MapTags())
  }

  private func dense(
    _ bytes: UnsafeRawBufferPointer, hasTags: Bool, _ body: (Int64, Int32, Int32, MapTags) -> Void
  ) throws(ProtobufReader.Damage) {
    let none = UnsafeRawBufferPointer(start: nil, count: 0)
    var (ids, latitudes, longitudes, texts) = (none, none, none, none)
    var reader = ProtobufReader(bytes)
    while let (number, value) = try reader.next() {
      switch (number, value) {
      case (1, .bytes(let list)): ids = list
      case (8, .bytes(let list)): latitudes = list
      case (9, .bytes(let list)): longitudes = list
      case (10, .bytes(let list)): texts = list
      default: break
      }
    }
    var (a, b, c, d) = (
      ProtobufReader(ids), ProtobufReader(latitudes), ProtobufReader(longitudes), ProtobufReader(texts)
    )
    var (id, latitude, longitude): (Int64, Int64, Int64) = (0, 0, 0)
    while !a.isAtEnd {
      // Each number is the difference to the one before.
      id &+= try a.signedVarint()
      latitude &+= try b.signedVarint()
      longitude &+= try c.signedVarint()
      var tags = MapTags()
      if hasTags {
        // Pairs of strings, up to a 0.
        while !d.isAtEnd {
          let key = try d.varint()
          if key == 0 { break }
          add(key, try d.varint(), to: &tags)
        }
      }
      guard let place = degrees(latitude, longitude) else { continue }
      body(id, place.latitude, place.longitude, tags)
    }
  }

  /// A position in units of 10⁻⁷ degrees; `nil` if there is none like it on Earth.
  private func degrees(_ latitude: Int64, _ longitude: Int64) -> (latitude: Int32, longitude: Int32)? {
    func unit(_ value: Int64, _ offset: Int64, limit: Int64) -> Int32? {
      let (product, isTooLarge) = value.multipliedReportingOverflow(by: granularity)
      let (sum, isBeyond) = product.addingReportingOverflow(offset)
      guard !isTooLarge, !isBeyond else { return nil }
      // Billionths of a degree.
      let rounded = sum / 100
      return rounded.magnitude <= UInt64(limit) ? Int32(rounded) : nil
    }
    guard let latitude = unit(latitude, latitudeOffset, limit: 900_000_000),
      let longitude = unit(longitude, longitudeOffset, limit: 1_800_000_000)
    else { return nil }
    return (latitude, longitude)
  }

  // MARK: Ways and relations

  /// Calls `body` with each way: its number, its nodes, and its tags.
  func forEachWay(
    hasTags: Bool, _ body: (Int64, [Int64], MapTags) throws(ProtobufReader.Damage) -> Void
  ) throws(ProtobufReader.Damage) {
    try forEach(field: 3) { bytes throws(ProtobufReader.Damage) in
      var reader = ProtobufReader(bytes)
      var id: Int64 = 0
      var (names, values, nodes): (UnsafeRawBufferPointer?, UnsafeRawBufferPointer?, UnsafeRawBufferPointer?)
      while let (number, value) = try reader.next() {
        switch (number, value) {
        case (1, .number(let one)): id = Int64(bitPattern: one)
        case (2, .bytes(let list)): names = list
        case (3, .bytes(let list)): values = list
        case (8, .bytes(let list)): nodes = list
        default: break
        }
      }
      let tags = hasTags ? try self.tags(names, values) : MapTags()
      if hasTags, tags.kind == nil { return }
      try body(id, try Self.differences(nodes), tags)
    }
  }

  /// Calls `body` with each relation that is an area, and its tags.
  func forEachArea(_ body: (Relation, MapTags) -> Void) throws(ProtobufReader.Damage) {
    try forEach(field: 4) { bytes throws(ProtobufReader.Damage) in
      var reader = ProtobufReader(bytes)
      var id: Int64 = 0
      var (names, values): (UnsafeRawBufferPointer?, UnsafeRawBufferPointer?)
      var (roles, members, types): (UnsafeRawBufferPointer?, UnsafeRawBufferPointer?, UnsafeRawBufferPointer?)
      while let (number, value) = try reader.next() {
        switch (number, value) {
        case (1, .number(let one)): id = Int64(bitPattern: one)
        case (2, .bytes(let list)): names = list
        case (3, .bytes(let list)): values = list
        case (8, .bytes(let list)): roles = list
        case (9, .bytes(let list)): members = list
        case (10, .bytes(let list)): types = list
        default: break
        }
      }
      let tags = try self.tags(names, values)
      guard tags["type"] == "multipolygon", tags.kind != nil, let roles, let types else { return }
      var (role, type) = (ProtobufReader(roles), ProtobufReader(types))
      var outer: [Int64] = []
      for member in try Self.differences(members) {
        guard !role.isAtEnd, !type.isAtEnd else { break }
        let (name, kind) = (string(try role.varint()), try type.varint())
        // 1 is a way.
        if kind == 1, name != "inner" { outer.append(member) }
      }
      body(Relation(id: id, outer: outer), tags)
    }
  }

  private func forEach(
    field wanted: Int, _ body: (UnsafeRawBufferPointer) throws(ProtobufReader.Damage) -> Void
  ) throws(ProtobufReader.Damage) {
    for group in groups {
      var reader = ProtobufReader(group)
      while let (number, value) = try reader.next() {
        if number == wanted, case .bytes(let bytes) = value { try body(bytes) }
      }
    }
  }

  private static func differences(
    _ bytes: UnsafeRawBufferPointer?
  ) throws(ProtobufReader.Damage) -> [Int64] {
    guard let bytes else { return [] }
    var reader = ProtobufReader(bytes)
    var (numbers, last): ([Int64], Int64) = ([], 0)
    while !reader.isAtEnd {
      last &+= try reader.signedVarint()
      guard numbers.count < maximumMembers else { throw ProtobufReader.Damage() }
      numbers.append(last)
    }
    return numbers
  }

  // MARK: Tags

  private func tags(
    _ names: UnsafeRawBufferPointer?, _ values: UnsafeRawBufferPointer?
  ) throws(ProtobufReader.Damage) -> MapTags {
    var tags = MapTags()
    guard let names, let values else { return tags }
    var (name, value) = (ProtobufReader(names), ProtobufReader(values))
    while !name.isAtEnd, !value.isAtEnd { add(try name.varint(), try value.varint(), to: &tags) }
    return tags
  }

  private func add(_ key: UInt64, _ value: UInt64, to tags: inout MapTags) {
    guard let key = keys[Int(clamping: key)] else { return }
    tags.add(key, string(value))
  }

  private func string(_ index: UInt64) -> String {
    index < UInt64(strings.count) ? String(decoding: strings[Int(index)], as: UTF8.self) : ""
  }
}
