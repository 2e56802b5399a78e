public import CFenceGrid
import Glibc

/// The rows of numbers in a CSV file with a header.
func rows(_ path: String) -> [[Double]] {
  guard let file = fopen(path, "r") else { fatalError("cannot read \(path)") }
  defer { fclose(file) }
  var line = [CChar](repeating: 0, count: 4096)
  var rows: [[Double]] = []
  while fgets(&line, Int32(line.count), file) != nil {
    let text = line.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }
    let row = text.split(separator: UInt8(ascii: ",")).map { Double(String(decoding: $0, as: UTF8.self)) }
    let numbers = row.compactMap { $0 }
    if numbers.count == row.count { rows.append(numbers) }
  }
  return rows
}

/// Positions from rows of device, seconds, latitude, longitude and accuracy.
public func positions(from path: String) -> [GridPosition] {
  rows(path).filter { $0.count >= 5 }.map { row in
    GridPosition(
      device: UInt32(row[0]), accuracy: Float(row[4]), microseconds: Int64(row[1] * 1e6), latitude: row[2],
      longitude: row[3])
  }
}

/// Circles from rows of a number, latitude, longitude and radius.
public func circles(from path: String) -> [GridCircle] {
  rows(path).filter { $0.count >= 4 }.map { row in
    GridCircle(latitude: row[1], longitude: row[2], radius: row[3])
  }
}
