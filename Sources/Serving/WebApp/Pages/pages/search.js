// Search everywhere: items, also done ones, tags, lists, places, and what went off.

import { api, pathOf, query } from "./api.js";
import { button, entry, h, head, icon, later, refill } from "./dom.js";
import { byItem, firingRow } from "./firings.js";
import { n, t } from "./i18n.js";
import { placeText } from "./place-picker.js";
import { row } from "./rows.js";
import { state, tint } from "./state.js";
import { failed } from "./toast.js";

const MOST = 30, MOST_FIRINGS = 1000;
const has = (text, words) => words.every((word) => text.toLowerCase().includes(word));

export const show = async (page) => {
  const input = h("input", {
    type: "search",
    "aria-label": t("Search everywhere"),
    placeholder: t("Reminders, events, tags, places"),
    autocomplete: "off",
    value: page.query.get("text") ?? "",
  });
  const body = h("div", { class: "stack" }), count = h("p", { class: "count", role: "status" });
  let turn = 0, limit = MOST;
  const section = (title, rows, ...more) =>
    rows.length > 0 && h("section", { class: "dayblock" }, h("h2", {}, title), h("ul", { class: "rows" }, rows), more);
  const refresh = async () => {
    const mine = ++turn, text = input.value.trim(), words = text.toLowerCase().split(/\s+/).filter(Boolean);
    if (!words.length) {
      count.textContent = "";
      return refill(body, h("p", { class: "empty" }, t("Also what is done, and what went off.")));
    }
    const tag = /^#\S+$/.test(text) && text.slice(1);
    const [items, found, log] = await Promise.all([
      api.get("/items", { ...(tag ? { tag } : { text }), completed: "all", kind: "all", limit }),
      tag ? { found: [] } : api.get("/places/find", { text }),
      tag ? { firings: [] } : api.get("/firings", { limit: MOST_FIRINGS }),
    ]);
    if (mine !== turn) return;
    const lists = state.lists.filter((list) => has(list.title, words));
    const places = found.found.filter((place) => place.from === "place");
    const went = log.firings.filter(({ item, place }) => has(`${item.title} ${place?.title ?? ""}`, words));
    const tags = [...new Set(items.items.flatMap((item) => item.tags ?? []))].filter((one) => has(one, words));
    const open = items.items.filter((item) => !item.completed), done = items.items.filter((item) => item.completed);
    const more = items.total > items.items.length &&
      button(t("Show more"), () => {
        limit += 100;
        refresh().catch(failed);
      }, { class: "wide-button" });
    const blocks = [
      lists.length + tags.length > 0 &&
      h(
        "nav",
        { class: "lists", "aria-label": t("Lists and tags") },
        lists.map((list) =>
          h("a", { class: "pill", href: pathOf("lists", list.id), style: tint(list.color) }, h("i", {}), list.title)
        ),
        tags.map((one) => h("a", { class: "pill", href: `/lists${query({ tag: one, completed: "all" })}` }, `#${one}`)),
      ),
      section(t("Reminders and events"), open.map((item) => row(item))),
      section(
        t("Places"),
        places.slice(0, MOST).map((place) =>
          entry(place.title, ["now"], place.title, {
            href: pathOf("places", place.title),
            details: [placeText({ ...place, title: "" }), place.address],
          })
        ),
      ),
      section(t("Done"), done.map((item) => row(item))),
      more,
      section(t("Went off"), byItem(went).slice(0, MOST).map((group) => firingRow(group))),
    ].filter(Boolean);
    refill(body, blocks.length ? blocks : h("p", { class: "empty" }, t("Nothing was found.")));
    const total = items.total + places.length + lists.length + tags.length + byItem(went).length;
    count.textContent = n(total, "{n} found", "{n} found");
    if (location.pathname === page.path) history.replaceState(history.state, "", page.path + query({ text }));
  };
  const soon = later(150, () => {
    limit = MOST;
    refresh().catch(failed);
  });
  input.addEventListener("input", soon);
  page.main.append(
    head(t("Search")),
    h("div", { class: "quick", role: "search" }, h("div", { class: "line" }, icon("search"), input)),
    count,
    body,
  );
  await refresh();
  return { title: t("Search"), refresh, shown: () => input.value || input.focus() };
};
