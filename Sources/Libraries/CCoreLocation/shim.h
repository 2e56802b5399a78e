#pragma once

/// An enumeration as Apple's headers have it (NS_ENUM): each number is a value, also one that has no name yet. So
/// a program that reads such a value and writes it back loses nothing, which a Swift enumeration can't do.
#define FENCEPOST_OPEN_ENUM(type, name) typedef enum __attribute__((enum_extensibility(open))) name : type

/// The permission of an app to use the device's position. Raw values are Apple's.
FENCEPOST_OPEN_ENUM(int, CLAuthorizationStatus) {
  CLAuthorizationStatusNotDetermined = 0,
  CLAuthorizationStatusRestricted = 1,
  CLAuthorizationStatusDenied = 2,
  CLAuthorizationStatusAuthorizedAlways = 3,
  CLAuthorizationStatusAuthorizedWhenInUse = 4,
} CLAuthorizationStatus;

/// The accuracy that an app has permission for. Raw values are Apple's.
FENCEPOST_OPEN_ENUM(long, CLAccuracyAuthorization) {
  CLAccuracyAuthorizationFullAccuracy = 0,
  CLAccuracyAuthorizationReducedAccuracy = 1,
} CLAccuracyAuthorization;

/// The state of a device relative to a region.
FENCEPOST_OPEN_ENUM(long, CLRegionState) {
  CLRegionStateUnknown = 0,
  CLRegionStateInside = 1,
  CLRegionStateOutside = 2,
} CLRegionState;

/// The distance of a device to something.
FENCEPOST_OPEN_ENUM(long, CLProximity) {
  CLProximityUnknown = 0,
  CLProximityImmediate = 1,
  CLProximityNear = 2,
  CLProximityFar = 3,
} CLProximity;

/// The state of a condition that a monitor watches.
FENCEPOST_OPEN_ENUM(unsigned long, CLMonitoringState) {
  CLMonitoringStateUnknown = 0,
  CLMonitoringStateSatisfied = 1,
  CLMonitoringStateUnsatisfied = 2,
  CLMonitoringStateUnmonitored = 3,
} CLMonitoringState;

/// What a device is used for.
FENCEPOST_OPEN_ENUM(long, CLActivityType) {
  CLActivityTypeOther = 1,
  CLActivityTypeAutomotiveNavigation = 2,
  CLActivityTypeFitness = 3,
  CLActivityTypeOtherNavigation = 4,
  CLActivityTypeAirborne = 5,
} CLActivityType;

/// How a device is held.
FENCEPOST_OPEN_ENUM(int, CLDeviceOrientation) {
  CLDeviceOrientationUnknown = 0,
  CLDeviceOrientationPortrait = 1,
  CLDeviceOrientationPortraitUpsideDown = 2,
  CLDeviceOrientationLandscapeLeft = 3,
  CLDeviceOrientationLandscapeRight = 4,
  CLDeviceOrientationFaceUp = 5,
  CLDeviceOrientationFaceDown = 6,
} CLDeviceOrientation;
