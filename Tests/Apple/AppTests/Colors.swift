// A separate file, because a file that imports Testing can't import CoreGraphics: Testing's overlay for that
// module exists only on Apple's systems.
import CoreGraphics

/// A colour, in a program that imports CoreGraphics by name.
func leafGreen() -> CGColor { CGColor(red: 0, green: 1, blue: 0, alpha: 1) }

/// `CGFloat` is exported too.
func half() -> CGFloat { 0.5 }
