// Items consist of times and places, so rooms that use items need those too.
@_exported public import FencepostSpatiotemporal
