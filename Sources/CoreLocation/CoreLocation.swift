// The part of Apple's CoreLocation that code around EventKit uses.
