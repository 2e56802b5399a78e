/// What the neighbour calls itself.
public let neighbourAlgorithms = "Algorithms"
