/// What the neighbour calls itself.
public let neighbourArchives = "Archives"
