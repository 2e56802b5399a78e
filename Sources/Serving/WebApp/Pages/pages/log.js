// What went off, newest first.

import { api } from "./api.js";
import { button, h, head, refill } from "./dom.js";
import { t } from "./i18n.js";
import { firingRow } from "./now.js";
import { dayName, dayOf } from "./time.js";
import { failed } from "./toast.js";

export const show = async (page) => {
  const body = h("div", {}), more = h("div", {});
  let limit = 50;
  const refresh = async () => {
    const { firings } = await api.get("/firings", { limit });
    const days = Map.groupBy(firings, (firing) => dayOf(firing.time));
    refill(
      body,
      firings.length
        ? [...days].map(([day, found]) =>
          h(
            "section",
            { class: "dayblock" },
            h("h2", {}, h("a", { href: `/day/${day}` }, dayName(day, "long"))),
            h("ul", { class: "rows" }, found.map(firingRow)),
          )
        )
        : h("p", { class: "empty" }, t("Nothing went off lately.")),
    );
    more.replaceChildren(
      firings.length >= limit
        ? button(t("Show more"), () => {
          limit += 100;
          refresh().catch(failed);
        }, { class: "wide-button" })
        : "",
    );
  };
  page.main.append(
    head(t("Log"), h("a", { class: "button", href: "/day/today" }, t("A day on the map"))),
    body,
    more,
  );
  await refresh();
  return { title: t("Log"), refresh };
};
