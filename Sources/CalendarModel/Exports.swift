// Items are made of times and places, so a room that uses items uses those too.
@_exported public import Spatiotemporal
