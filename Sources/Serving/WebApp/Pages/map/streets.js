// The question whether maps show streets, asked once on a map without them.

import { api, appPage } from "./api.js";
import { button, h } from "./dom.js";
import { t } from "./i18n.js";
import { state } from "./state.js";
import { failed } from "./toast.js";

/** Answers the question for all maps. */
export const chooseStreets = async (streets) => {
  await api.patch("/settings", { streets });
  // A page gets the permission to load pictures from elsewhere when it is loaded.
  location.reload();
};

/** The question; null where it was answered, or is not for the reader. */
export const streetsQuestion = () => {
  const { session } = state;
  if (appPage || !session || session.tiles || session.streets || !session.rights?.includes("write")) return null;
  const choose = (streets) => () =>
    chooseStreets(streets).catch((error) => {
      failed(error);
      made.remove();
    });
  // A small map stays free until somebody asks for the question.
  const isSmall = matchMedia("(max-width: 480px)").matches;
  const ask = button(t("Streets on the map"), () => {
    made.classList.remove("small");
    made.querySelector(".primary").focus();
  }, { class: "ask" });
  const made = h(
    "div",
    { class: isSmall ? "streets small" : "streets", role: "region", "aria-label": t("Streets on the map") },
    ask,
    h("p", {}, t("Show streets from openstreetmap.org?"),
      h("small", {}, " ", t("Your browser asks it for map squares around what you look at."))),
    h("span", { class: "pair" },
      button(t("Show streets"), choose("openstreetmap.org"), { class: "primary" }),
      button(t("Without"), choose("none"))),
  );
  return made;
};
