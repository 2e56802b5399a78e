// Rules to occurrences. Pure: civil time and time zones.
