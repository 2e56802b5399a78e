// Fixes and fences to transitions. Pure: no I/O, no clock.
