// What went off, newest first: all of it, or what waits for an answer.

import { api } from "./api.js";
import { button, h, head, refill } from "./dom.js";
import { byItem, doneAll, firingRow } from "./firings.js";
import { t } from "./i18n.js";
import { dayName, dayOf } from "./time.js";
import { failed } from "./toast.js";

export const show = async (page) => {
  const isWaiting = page.query.get("waiting") === "1";
  const body = h("div", {}), more = h("div", {}), all = h("div", { class: "tools" });
  let limit = 50;
  const refresh = async () => {
    const { firings } = await api.get("/firings", { limit, waiting: isWaiting ? 1 : "" });
    const days = Map.groupBy(firings, (firing) => dayOf(firing.time));
    const groups = byItem(firings);
    refill(
      body,
      !firings.length
        ? h("p", { class: "empty" }, isWaiting ? t("Nothing waits for an answer.") : t("Nothing went off lately."))
        : isWaiting
        ? h("ul", { class: "rows" }, groups.map((group) => firingRow(group)))
        : [...days].map(([day, found]) =>
          h(
            "section",
            { class: "dayblock" },
            h("h2", {}, h("a", { href: `/day/${day}` }, dayName(day, "long"))),
            h("ul", { class: "rows" }, found.map((firing) => firingRow([firing]))),
          )
        ),
    );
    all.replaceChildren(
      ...isWaiting && groups.length > 1 ? [button(t("Done with all"), () => doneAll(groups).catch(failed))] : [],
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
  const choices = [["/log", "All that went off"], ["/log?waiting=1", "Waiting for you"]];
  page.main.append(
    head(
      t("Log"),
      h(
        "div",
        { class: "switch", role: "group", "aria-label": t("View") },
        choices.map(([href, label]) =>
          h("a", { href, "aria-current": href.includes("?") === isWaiting ? "true" : null }, t(label))
        ),
      ),
      h("a", { class: "button", href: "/day/today" }, t("A day on the map")),
    ),
    all,
    body,
    more,
  );
  await refresh();
  return { title: t("Log"), refresh };
};
