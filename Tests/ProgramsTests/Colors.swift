// A file of its own: one that imports Testing can't import CoreGraphics, for Testing has an overlay for that module
// on Apple's systems alone.
import CoreGraphics

/// A colour, by a program that names the module it comes from.
func leafGreen() -> CGColor { CGColor(red: 0, green: 1, blue: 0, alpha: 1) }

/// `CGFloat` comes along.
func half() -> CGFloat { 0.5 }
