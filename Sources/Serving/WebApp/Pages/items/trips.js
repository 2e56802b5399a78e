// Trips in the agenda: bookings in calendars that belong together.

import { chip, h, icon } from "./dom.js";
import { n, t } from "./i18n.js";
import { row } from "./rows.js";
import { dayText } from "./time.js";

const tripTitle = (trip) => (trip.place ? t("Trip to {place}", trip) : t("Trip"));
const tripDays = ({ from, to }) =>
  from === to ? dayText(from, "short") : `${dayText(from, "short")} – ${dayText(to, "short")}`;
/** A trip as one row, with its bookings inside; `isOpen` if the reader has opened it. */
const tripRow = (trip, entries, isOpen) =>
  h(
    "li",
    { class: "row trip" },
    h(
      "details",
      { "data-trip": trip.id, open: isOpen },
      h(
        "summary",
        {},
        icon("day"),
        h("span", { class: "title" }, tripTitle(trip)),
        h("span", { class: "quiet" }, tripDays(trip)),
        chip(n(trip.items.length, "{n} booking", "{n} bookings")),
      ),
      h("ul", { class: "rows" }, entries.map(({ item }) => row(item))),
    ),
  );
/** The rows of the trips that begin on a day. */
export const tripRows = ({ trips = [] }) =>
  trips.map(({ trip, entries }) =>
    tripRow(trip, entries, document.querySelector(`[data-trip="${CSS.escape(trip.id)}"]`)?.open)
  );
/** Links to trips: `path(day)` is where one is shown. Nothing without trips. */
export const tripPills = (trips, path) =>
  trips.length
    ? h(
      "nav",
      { class: "lists", "aria-label": t("Trips") },
      trips.map((trip) =>
        h("a", { class: "pill", href: path(trip.from) }, icon("day"), tripTitle(trip), h("small", {}, tripDays(trip)))
      ),
    )
    : null;
/** Makes each trip one row: its bookings leave their days for the first one of them that is shown. */
export const gatherTrips = (found, trips) => {
  const parts = new Map();
  for (const trip of trips) {
    const own = { trip, entries: [] };
    for (const id of trip.items) parts.set(id, own);
  }
  for (const day of found.values()) {
    const rest = [];
    day.trips = [];
    for (const entry of day.entries) {
      const part = parts.get(entry.item.id);
      if (!part) rest.push(entry);
      else {
        if (!part.entries.length) day.trips.push(part);
        if (!part.entries.some(({ item }) => item.id === entry.item.id)) part.entries.push(entry);
      }
    }
    day.total -= day.entries.length - rest.length;
    day.entries = rest;
  }
};
