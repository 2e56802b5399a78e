/// What the neighbour calls itself.
public let neighbourConfiguration = "Configuration"
