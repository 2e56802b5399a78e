// Places by name, address, coordinates or link: a box and what it finds.

import { api, appPage, Problem } from "./api.js";
import { button, h, icon, later } from "./dom.js";
import { t } from "./i18n.js";
import { failed } from "./toast.js";

const FROM = {
  place: "place",
  item: "from an item",
  coordinate: "coordinates",
  link: "link",
  device: "device",
  geocoder: "address",
};

/** `choose(place)` gets what the reader takes of the found places. */
export const placeFinder = (label, choose, { initialText = "" } = {}) => {
  const found = h("ul", { class: "found" });
  let turn = 0;
  const offer = (places) =>
    found.replaceChildren(
      ...places.slice(0, 8).map((one) =>
        h(
          "li",
          {},
          button(
            "",
            () => choose(one),
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
      if (mine === turn) offer(answer.found);
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
  const clear = () => {
    turn += 1;
    found.replaceChildren();
    input.value = "";
  };
  return { input, found, look, clear };
};
