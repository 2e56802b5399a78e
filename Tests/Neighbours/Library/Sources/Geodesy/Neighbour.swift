/// What the neighbour calls itself.
public let neighbourGeodesy = "Geodesy"
