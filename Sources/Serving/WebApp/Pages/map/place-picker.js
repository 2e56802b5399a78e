// A place: found by name, coordinates or link, where a device is, or drawn on the map.

import { api } from "./api.js";
import { button, h, icon, iconButton } from "./dom.js";
import { t } from "./i18n.js";
import { defaultRadius, placeFinder } from "./place-finder.js";
import { locate } from "./position.js";
import { failed } from "./toast.js";

export const placeText = (place) =>
  [
    place.title,
    place.polygons?.length ? t("outline") : place.radius ? `${Math.round(place.radius)} m` : null,
    Number.isFinite(place.latitude) ? `${place.latitude.toFixed(5)}, ${place.longitude.toFixed(5)}` : null,
  ].filter(Boolean).join(" · ");
/** What the API takes of a place that was found. */
export const clean = ({ title, latitude, longitude, radius, polygons, address }) => ({
  title,
  latitude,
  longitude,
  radius: radius ?? defaultRadius,
  ...(polygons ? { polygons } : {}),
  ...(address ? { address } : {}),
});

/** A field for a place. `read()` gives it or null; `onchange(place, isDrawn)` hears of it. */
export const placeField = (label, place, { color, needsName, onchange = () => {}, initialText = "" } = {}) => {
  let value = place ?? null;
  const finder = placeFinder(label, (one) => set(clean(one)), { initialText });
  const { input } = finder;
  const chosen = h("div", { class: "chosen" });
  const set = (next, isDrawn = false) => {
    value = next;
    finder.clear();
    show();
    onchange(value, isDrawn);
  };
  const draw = async () => {
    const { editFence } = await import("./fence-editor.js");
    const made = await editFence(value ?? { title: input.value.trim() }, { color, needsName }).catch(failed);
    if (made) set(made, true);
  };
  const show = () => {
    chosen.replaceChildren(
      ...(value
        ? [
          icon("now"),
          h("span", {}, placeText(value)),
          iconButton("edit", t("Change {place} on the map", { place: value.title ?? "" }), draw),
          iconButton("close", t("Without {place}", { place: value.title ?? "" }), () => {
            set(null);
            input.focus();
          }),
        ]
        : []),
    );
    searching.hidden = Boolean(value);
    chosen.hidden = !value;
  };
  const here = async () => {
    try {
      const { latitude, longitude } = await locate();
      set({ title: t("Here"), latitude, longitude, radius: defaultRadius });
    } catch (error) {
      failed(error);
    }
  };
  const searching = h(
    "div",
    {},
    input,
    h(
      "div",
      { class: "tools" },
      button(t("On the map"), draw, {}, icon("places")),
      button(t("Where my phone is"), () => finder.look("here", api.getAsOwner), {}, icon("phone")),
      navigator.geolocation && button(t("Where I am"), here, {}, icon("device")),
    ),
    finder.found,
  );
  show();
  return {
    element: h(
      "div",
      { class: "field place-field", role: "group", "aria-label": label },
      h("span", {}, label),
      chosen,
      searching,
    ),
    read: () => value,
    text: () => input.value.trim(),
  };
};
