/// What the neighbour calls itself.
public let neighbourOAuth = "OAuth"
