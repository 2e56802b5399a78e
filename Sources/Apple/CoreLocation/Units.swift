// The units of CoreLocation, and its special values for "none" and "best".

/// Degrees of latitude or longitude.
public typealias CLLocationDegrees = Double
/// Metres.
public typealias CLLocationDistance = Double
/// Metres: the radius of the circle that contains the position; negative if the position is invalid.
public typealias CLLocationAccuracy = Double
/// Metres a second; negative if unknown.
public typealias CLLocationSpeed = Double
/// Metres a second; negative if unknown.
public typealias CLLocationSpeedAccuracy = Double
/// Degrees clockwise from true north, 0 up to 360; negative if unknown.
public typealias CLLocationDirection = Double
/// Degrees; negative if unknown.
public typealias CLLocationDirectionAccuracy = Double

/// Report every movement.
public let kCLDistanceFilterNone: CLLocationDistance = -1
/// The largest distance.
public let CLLocationDistanceMax: CLLocationDistance = .greatestFiniteMagnitude
/// The longest time to wait, in seconds.
public let CLTimeIntervalMax: Double = .greatestFiniteMagnitude
/// The best accuracy, with additional sensors.
public let kCLLocationAccuracyBestForNavigation: CLLocationAccuracy = -2
/// The best accuracy.
public let kCLLocationAccuracyBest: CLLocationAccuracy = -1
/// Within ten metres.
public let kCLLocationAccuracyNearestTenMeters: CLLocationAccuracy = 10
/// Within a hundred metres.
public let kCLLocationAccuracyHundredMeters: CLLocationAccuracy = 100
/// Within a kilometre.
public let kCLLocationAccuracyKilometer: CLLocationAccuracy = 1_000
/// Within three kilometres.
public let kCLLocationAccuracyThreeKilometers: CLLocationAccuracy = 3_000
/// The accuracy for apps with access to approximate positions only.
public let kCLLocationAccuracyReduced: CLLocationAccuracy = .greatestFiniteMagnitude
/// An invalid coordinate.
public let kCLLocationCoordinate2DInvalid = CLLocationCoordinate2D(latitude: -180, longitude: -180)
