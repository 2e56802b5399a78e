/// What the neighbour calls itself.
public let neighbourJSON = "JSON"
