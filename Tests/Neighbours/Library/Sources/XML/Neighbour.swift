/// What the neighbour calls itself.
public let neighbourXML = "XML"
