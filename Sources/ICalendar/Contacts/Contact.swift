import CalendarModel

/// What a vCard says of somebody's days: the rest of a contact is no business of a calendar.
public struct Contact: Hashable, Sendable {
  /// A day that comes round every year.
  public struct YearlyDay: Hashable, Sendable {
    /// The year in which it was first, where that is known.
    public var year: Int?
    /// 1 to 12.
    public var month: Int
    /// 1 to 31.
    public var day: Int

    /// The day, or `nil` where there is none such: 29 February is one in a year that has it, and where the year
    /// is not known.
    public init?(year: Int?, month: Int, day: Int) {
      // 2000 has a 29 February.
      guard CivilDay(validYear: year ?? 2000, month: month, day: day) != nil else { return nil }
      self.year = year
      self.month = month
      self.day = day
    }
  }

  /// A day beside the birthday.
  public struct Anniversary: Hashable, Sendable {
    /// What it is, in the contact's words; `nil` for the anniversary that vCard 4 knows.
    public var label: String?
    /// When it is.
    public var day: YearlyDay

    /// An anniversary.
    public init(label: String?, day: YearlyDay) {
      self.label = label
      self.day = day
    }
  }

  /// What tells the contact from others; UID. Made from the name where there is none.
  public var uid: String
  /// The name as it is to be shown; FN, else put together from N, else what there is.
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
