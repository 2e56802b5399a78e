// What a fence is drawn on: small geometry, the tracks of the last days and how often they cross it, and where the map
// begins.

import { api, appPage } from "./api.js";
import { n, t } from "./i18n.js";
import { boxOf } from "./map.js";
import { isOwner, saved, state } from "./state.js";
import { addDays, today } from "./time.js";

const DEGREE = 111195, MOST_TRACKS = 12;
/** How many days of tracks are shown. */
const DAYS = 3;
const wide = (latitude) => DEGREE * Math.max(Math.cos(latitude * Math.PI / 180), 0.01);
export const distance = (a, b) => Math.hypot((a[0] - b[0]) * DEGREE, (a[1] - b[1]) * wide(a[0]));
export const shifted = ([lat, lon], north, east) => [lat + north / DEGREE, lon + east / wide(lat)];
export const round = (value) => Math.round(value * 1e6) / 1e6;

/** Whether a point is in a ring of [latitude, longitude] (even-odd). */
const isInside = ([lat, lon], ring) =>
  ring.reduce((inside, [ay, ax], i) => {
    const [by, bx] = ring[(i + ring.length - 1) % ring.length];
    return (ay > lat) !== (by > lat) && lon < (bx - ax) * (lat - ay) / (by - ay) + ax ? !inside : inside;
  }, false);

/** Whether devices and places are for who is here. */
const seesAll = () => !appPage && isOwner();

export const loadTracks = async () => {
  const { devices } = seesAll() ? await api.get("/devices") : { devices: [] };
  const wanted = devices.slice(0, 4).flatMap(({ name }) =>
    Array.from({ length: DAYS }, (_, i) => ({ device: name, day: addDays(today(), -i), points: 2000 }))
  ).slice(0, MOST_TRACKS);
  const loaded = await Promise.all(wanted.map((one) => api.get("/tracks", one).catch(() => ({ points: [] }))));
  return loaded.map((track, i) => ({
    ...track,
    ...wanted[i],
    points: track.points,
    isFaint: true,
    color: `--way${i % 3}`,
  }));
};

/** How often tracks cross a fence, in words; `ring` has the corners of an outline. */
export const crossings = (tracks, fence, ring) => {
  let [arrivals, departures] = [0, 0];
  for (const { points } of tracks) {
    let before = null;
    for (const [, lat, lon] of points) {
      const inside = fence.polygons
        ? isInside([lat, lon], ring)
        : distance([fence.latitude, fence.longitude], [lat, lon]) <= fence.radius;
      if (before === false && inside) arrivals += 1;
      if (before === true && !inside) departures += 1;
      before = inside;
    }
  }
  return tracks.length
    ? `${t("In the last {n} days:", { n: DAYS })} ${
      n(arrivals, "crossed inwards once", "crossed inwards {n} times")
    }, ${n(departures, "outwards once", "outwards {n} times")}.`
    : "";
};

const TOWN = 8000;
/** Shows where a new place may be: around the last position of a device, else where a fence was drawn last, else at a
 * place, else the largest town of the time zone. Gives whether any is known. */
export const begin = async (map, isDrawn) => {
  const { devices } = seesAll() ? await api.get("/devices").catch(() => ({ devices: [] })) : { devices: [] };
  const at = devices.filter((device) => Number.isFinite(device.latitude)).sort((a, b) => (a.time < b.time ? 1 : -1))[0];
  const last = at ?? saved("last-fence", null);
  if (isDrawn()) return true;
  if (last) {
    map.fit([boxOf({ ...last, radius: 500 })]);
    return true;
  }
  const { places } = seesAll() ? await api.get("/places").catch(() => ({ places: [] })) : { places: [] };
  const town = state.session?.zone_town;
  const known = places[0] ? { ...places[0], radius: 500 } : town && { ...town, radius: TOWN };
  if (known && !isDrawn()) map.fit([boxOf(known)]);
  return Boolean(known) || isDrawn();
};
