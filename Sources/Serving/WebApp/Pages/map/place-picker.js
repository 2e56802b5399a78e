// A place: found by name, coordinates or link, where a device is, or drawn on the map.

import { api, appPage, Problem } from "./api.js";
import { button, h, icon, iconButton, later } from "./dom.js";
import { editFence } from "./fence-editor.js";
import { t } from "./i18n.js";
import { locate } from "./position.js";
import { failed } from "./toast.js";

const FROM = {
  place: "place",
  item: "from an item",
  coordinate: "coordinates",
  link: "link",
  device: "device",
  geocoder: "address",
};
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
  radius: radius ?? 100,
  ...(polygons ? { polygons } : {}),
  ...(address ? { address } : {}),
});

/** A field for a place. `read()` gives it or null. */
export const placeField = (label, place, { color, onchange = () => {}, initialText = "" } = {}) => {
  let value = place ?? null, turn = 0;
  const found = h("ul", { class: "found" }), chosen = h("div", { class: "chosen" });
  const set = (next) => {
    value = next;
    found.replaceChildren();
    input.value = "";
    show();
    onchange(value);
  };
  const draw = async () => {
    const made = await editFence(value ?? { title: input.value.trim(), radius: 100 }, { color }).catch(failed);
    if (made) set(made);
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
  const offer = (places) =>
    found.replaceChildren(
      ...places.slice(0, 8).map((one) =>
        h(
          "li",
          {},
          button(
            "",
            () => set(clean(one)),
            { class: "option" },
            icon(one.from === "device" ? "device" : "now"),
            h(
              "span",
              {},
              h("b", {}, one.title ?? ""),
              h("small", {}, [t(FROM[one.from] ?? ""), one.address].filter(Boolean).join(" · ")),
            ),
          ),
        )
      ),
      ...(places.length ? [] : [h("li", { class: "empty" }, t("Nothing was found."))]),
    );
  const look = async (text, get = api.get) => {
    const mine = ++turn;
    if (!text) return found.replaceChildren();
    try {
      const answer = await get("/places/find", { text });
      if (mine === turn && !value) offer(answer.found);
    } catch (error) {
      const isOut = appPage && error.status === 401;
      failed(isOut ? new Problem(t("Sign in to Fencepost in this browser first."), error) : error);
    }
  };
  const soon = later(200, () => look(input.value.trim()));
  const input = h("input", {
    type: "text",
    autocomplete: "off",
    placeholder: t("Name, address, coordinates or link"),
    "aria-label": label,
    oninput: soon,
    value: initialText,
    onkeydown: (event) => {
      if (event.key === "ArrowDown") {
        event.preventDefault();
        found.querySelector("button")?.focus();
      }
      if (event.key === "Enter") {
        event.preventDefault();
        found.querySelector("button")?.click();
      }
    },
  });
  found.addEventListener("keydown", (event) => {
    const all = [...found.querySelectorAll("button")],
      at = all.indexOf(document.activeElement),
      step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    (all[at + step] ?? input).focus();
  });
  const here = async () => {
    try {
      const { latitude, longitude } = await locate();
      set({ title: t("Here"), latitude, longitude, radius: 100 });
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
      button(t("Where my phone is"), () => look("here", api.getAsOwner), {}, icon("phone")),
      navigator.geolocation && button(t("Where I am"), here, {}, icon("device")),
    ),
    found,
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
