/// What the neighbour calls itself.
public let neighbourSystem = "System"
