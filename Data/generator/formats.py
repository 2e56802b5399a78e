"""Fixes as GPX 1.1, CSV and NMEA 0183."""
import math
from datetime import datetime, timezone

from .town import FRAME


def utc(seconds):
    return datetime.fromtimestamp(seconds, timezone.utc)


def rfc3339(seconds, digits=3):
    """Rounded to so many digits of a second, in UTC."""
    whole, fraction = divmod(round(seconds * 10 ** digits), 10 ** digits)
    tail = f".{fraction:0{digits}d}" if digits else ""
    return utc(whole).strftime("%Y-%m-%dT%H:%M:%S") + tail + "Z"


def altitude(point):
    """Metres above the sea: a plain that falls a little towards its river."""
    return 57 + 3.5 * math.sin(point[0] / 900 + 1) + point[1] / 400


def gpx(name, fixes):
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<gpx version="1.1" creator="Fencepost Data/generate.py" xmlns="http://www.topografix.com/GPX/1/1"',
        '  xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"',
        '  xsi:schemaLocation="http://www.topografix.com/GPX/1/1 '
        'http://www.topografix.com/GPX/1/1/gpx.xsd">',
        f"<metadata><name>{name}</name><time>{rfc3339(fixes[0].time, 0)}</time></metadata>",
        f"<trk><name>{name}</name>",
        "<trkseg>"]
    for fix in fixes:
        if fix.starts_segment:
            lines += ["</trkseg>", "<trkseg>"]
        latitude, longitude = FRAME.degrees(fix.point)
        satellites = max(4, round(13 - 2.5 * fix.dop))
        lines.append(
            f'<trkpt lat="{latitude:.7f}" lon="{longitude:.7f}"><ele>{altitude(fix.point):.1f}</ele>'
            f"<time>{rfc3339(fix.time, 0)}</time><fix>3d</fix><sat>{satellites}</sat>"
            f"<hdop>{fix.dop:.1f}</hdop></trkpt>")
    return "\n".join(lines + ["</trkseg>", "</trk>", "</gpx>", ""])


def csv(device, fixes):
    """A fix with a negative speed has none to tell."""
    lines = ["time,latitude,longitude,accuracy,speed,device"]
    for fix in fixes:
        latitude, longitude = FRAME.degrees(fix.point)
        speed = f"{fix.speed:.1f}" if fix.speed >= 0 else ""
        lines.append(
            f"{rfc3339(fix.time)},{latitude:.7f},{longitude:.7f},{fix.accuracy:.1f},{speed},{device}")
    return "\n".join(lines) + "\n"


def sentence(body):
    """$body*hh: the checksum is the exclusive or of the bytes between the two signs."""
    check = 0
    for byte in body.encode("ascii"):
        check ^= byte
    return f"${body}*{check:02X}"


def degrees_and_minutes(value, width):
    """ddmm.mmmmm, with `width` digits of degrees."""
    units = round(abs(value) * 60 * 100000)
    whole, rest = divmod(units, 60 * 100000)
    return f"{whole:0{width}d}{rest // 100000:02d}.{rest % 100000:05d}"


def nmea(fixes, searching):
    """A receiver's log: RMC, GGA, GSA and GST a second, after `searching` seconds without a position."""
    lines = []
    for i in range(searching):
        at = utc(fixes[0].time - searching + i)
        lines.append(sentence(f"GPRMC,{at:%H%M%S}.00,V,,,,,,,{at:%d%m%y},,,N"))
        lines.append(sentence(f"GPGGA,{at:%H%M%S}.00,,,,,0,00,99.99,,,,,,"))
    for fix in fixes:
        at = utc(fix.time)
        latitude, longitude = FRAME.degrees(fix.point)
        place = (f"{degrees_and_minutes(latitude, 2)},{'N' if latitude >= 0 else 'S'},"
                 f"{degrees_and_minutes(longitude, 3)},{'E' if longitude >= 0 else 'W'}")
        clock = f"{at:%H%M%S}.00"
        course = f"{fix.course:.1f}" if fix.speed > 0.5 else ""
        sigma = fix.accuracy / math.sqrt(2)
        lines += [
            sentence(f"GPRMC,{clock},A,{place},{fix.speed * 3600 / 1852:.2f},{course},{at:%d%m%y},,,A"),
            sentence(f"GPGGA,{clock},{place},1,09,{fix.dop:.2f},{altitude(fix.point):.1f},M,44.6,M,,"),
            sentence(f"GPGSA,A,3,02,05,07,13,15,18,20,27,30,,,,{fix.dop * 1.7:.2f},{fix.dop:.2f},"
                     f"{fix.dop * 1.4:.2f}"),
            sentence(f"GPGST,{clock},{fix.accuracy * 1.3:.1f},,,,{sigma:.1f},{sigma:.1f},{sigma * 1.6:.1f}")]
    return "\r\n".join(lines) + "\r\n"
