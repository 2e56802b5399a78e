import Glibc

// In a separate file, so that the rest of the room needs neither Glibc nor Foundation for three functions.
func sine(_ radians: Double) -> Double { sin(radians) }
func cosine(_ radians: Double) -> Double { cos(radians) }
func arcsine(_ ratio: Double) -> Double { asin(ratio) }
