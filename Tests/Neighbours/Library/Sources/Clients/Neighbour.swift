/// What the neighbour calls itself.
public let neighbourClients = "Clients"
