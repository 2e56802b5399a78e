// Places with names: on the map and in a list.

import { api, pathOf } from "./api.js";
import { ask, isSure } from "./dialogs.js";
import { button, chip, empty, entry, h, head, icon, iconButton, refill } from "./dom.js";
import { editFence } from "./fence-editor.js";
import { begin } from "./fence-ground.js";
import { n, t } from "./i18n.js";
import { fenceMap } from "./map.js";
import { clean, placeField, placeText } from "./place-picker.js";
import { state } from "./state.js";
import { change, failed } from "./toast.js";

export const show = async (page) => {
  const map = fenceMap(t("Map of the places")), list = h("ul", { class: "rows" });
  const save = (place, name = place.title) =>
    change(
      ({ alarms_moved: moved }) =>
        moved
          ? `${t("Saved: {title}", place)} · ${n(moved, "{n} alarm moved too", "{n} alarms moved too")}`
          : t("Saved: {title}", place),
      () => api.put(pathOf("places", name), clean(place)),
    );
  let known = [];
  const named = (title) => known.find((place) => place.title.toLowerCase() === title?.toLowerCase());
  const edit = async (place) => {
    const old = named(place.title), made = await editFence(place, { needsName: true });
    if (made) await use(made, old);
  };
  const use = async (made, old) => {
    const other = named(made.title);
    if (!other || other.title === old?.title) return save(made, old?.title ?? made.title);
    // A name that is taken: another name, or that place is changed.
    const text = other.alarms
      ? n(other.alarms, "{n} alarm of it moves too.", "{n} alarms of it move too.")
      : t("It moves to what you have drawn.");
    const answer = await ask(t("There is a place “{title}” already.", other), text, [
      ["name", t("Another name"), "primary"],
      ...(old ? [] : [["move", t("Move that place")]]),
    ]);
    if (answer === "move") return save(made, other.title);
    if (answer) await edit({ ...made, title: old?.title ?? "" });
  };
  const remove = async (place) => {
    const text = place.alarms
      ? n(place.alarms, "{n} alarm keeps its own copy of it.", "{n} alarms keep their own copy of it.")
      : "";
    if (await isSure(t("Delete {title}?", place), text)) {
      await change(t("Deleted: {title}", place), () => api.remove(pathOf("places", place.title)));
    }
  };
  const refresh = async () => {
    const { places } = await api.get("/places");
    known = places;
    refill(
      list,
      places.length
        ? places.slice(0, 500).map((place) =>
          entry(
            place.title,
            ["now"],
            place.title,
            {
              href: pathOf("places", place.title),
              onclick: (event) => {
                event.preventDefault();
                edit(place).catch(failed);
              },
              details: [
                placeText({ ...place, title: "" }),
                place.address,
                place.alarms > 0 && chip(n(place.alarms, "{n} alarm", "{n} alarms")),
              ],
            },
            iconButton("fit", t("Show {place} on the map", { place: place.title }), () => map.reveal(place)),
            iconButton("trash", t("Delete {title}", place), () => remove(place).catch(failed)),
          )
        )
        : empty(t("No place has a name yet.")),
    );
    map.show({
      fences: places.map((place) => ({
        place,
        color: "#b07400",
        title: place.alarms ? n(place.alarms, "{n} alarm", "{n} alarms") : "",
      })),
    });
    return places;
  };
  const finder = placeField(t("Find a place"), null, {
    color: "#b07400",
    needsName: true,
    onchange: (place, isDrawn) => {
      if (place) {
        // What was drawn has been seen on the map.
        (isDrawn ? use(place) : edit(place)).catch(failed);
        clear();
      }
    },
  });
  const holder = h("div", {}, finder.element);
  const clear = () => holder.querySelector(".chosen .round:last-child")?.click();
  map.addEventListener("pick", ({ detail }) => {
    if (detail.fences[0]) edit(detail.fences[0].place).catch(failed);
  });
  page.main.classList.add("split");
  page.main.append(
    h(
      "div",
      { class: "side" },
      head(
        t("Places"),
        button(t("Place"), () => edit({ title: "" }).catch(failed), { class: "primary" }, icon("plus")),
      ),
      holder,
      list,
      // Before an answer, the map itself asks.
      state.session?.streets === "none"
        ? h("p", {}, h("a", { href: "/settings", class: "pill" }, icon("places"), t("Streets on the map")))
        : "",
    ),
    h("div", { class: "map" }, map),
  );
  const places = await refresh();
  if (!places.length) begin(map, () => false).catch(failed);
  const wanted = page.id && places.find((place) => place.title === page.id);
  return {
    title: t("Places"),
    refresh,
    shown: () => {
      if (wanted) edit(wanted).catch(failed);
    },
  };
};
