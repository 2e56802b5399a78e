import FencepostCalendarModel

/// The yearly days of a contact from a vCard. The rest of a contact does not belong in a calendar.
public struct Contact: Hashable, Sendable {
  /// A day that repeats every year.
  public struct YearlyDay: Hashable, Sendable {
    /// The first year, if known.
    public var year: Int?
    /// 1 to 12.
    public var month: Int
    /// 1 to 31.
    public var day: Int

    /// A day; `nil` if it is invalid. 29 February needs a leap year, or no year.
    public init?(year: Int?, month: Int, day: Int) {
      // 2000 has a 29 February.
      guard CivilDay(validYear: year ?? 2000, month: month, day: day) != nil else { return nil }
      self.year = year
      self.month = month
      self.day = day
    }
  }

  /// A day other than the birthday.
  public struct Anniversary: Hashable, Sendable {
    /// The contact's label for it; `nil` for vCard 4's own ANNIVERSARY.
    public var label: String?
    /// The day.
    public var day: YearlyDay

    /// An anniversary.
    public init(label: String?, day: YearlyDay) {
      self.label = label
      self.day = day
    }
  }

  /// The identifier: UID, or made from the name if the contact has no UID.
  public var uid: String
  /// The display name: FN, otherwise built from N, otherwise from what exists.
  public var name: String
  /// BDAY.
  public var birthday: YearlyDay?
  /// ANNIVERSARY of vCard 4, and Apple's X-ABDATE with its label.
  public var anniversaries: [Anniversary]

  /// A contact.
  public init(
    uid: String, name: String, birthday: YearlyDay? = nil, anniversaries: [Anniversary] = []
  ) {
    self.uid = uid
    self.name = name
    self.birthday = birthday
    self.anniversaries = anniversaries
  }
}
