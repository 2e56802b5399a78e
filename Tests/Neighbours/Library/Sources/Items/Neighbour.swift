/// What the neighbour calls itself.
public let neighbourItems = "Items"
