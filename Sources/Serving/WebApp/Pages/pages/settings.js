// Settings and where each comes from; ways to the rarer pages.

import { api } from "./api.js";
import { button, h, head, icon, panel, quiet, refill } from "./dom.js";
import { t } from "./i18n.js";
import { signOut } from "./app.js";
import { keys } from "./keys.js";
import { flush, forget, waiting } from "./offline.js";
import { pushPanel } from "./push.js";
import { state } from "./state.js";
import { toast } from "./toast.js";

const LINKS = [
  ["/search", "search", "Search"],
  ["/log", "log", "Log"],
  ["/changes", "undo", "Changes"],
  ["/suggestions", "note", "Suggestions"],
  ["/sources", "lists", "Sources"],
  ["/conflicts", "warn", "Conflicts"],
  ["/clients", "clients", "Clients and sessions"],
  ["/phone", "phone", "Set up a phone"],
  ["/day/today", "day", "A day on the map"],
];

export const show = async (page) => {
  const rows = h("tbody", {}), kept = h("div", {});
  const push = pushPanel();
  const refresh = async () => {
    const [{ settings }, wait] = await Promise.all([api.get("/settings"), waiting()]);
    rows.replaceChildren(
      ...settings.map(({ name, value, origin }) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, name),
          h("td", {}, h("code", {}, typeof value === "string" ? value : JSON.stringify(value))),
          h("td", {}, origin ?? ""),
        )
      ),
    );
    refill(
      kept,
      wait.length
        ? panel(
          t("Kept on this device"),
          h(
            "ul",
            {},
            wait.map(({ key, body }) =>
              h(
                "li",
                { class: "head" },
                h("b", {}, body.title ?? body.text),
                button(t("Forget"), async () => {
                  await forget(key);
                  refresh();
                }),
              )
            ),
          ),
          button(t("Send now"), async () => {
            if (!(await flush())) toast(t("Fencepost can’t be reached now."), { isError: true });
            refresh();
          }),
        )
        : null,
    );
  };
  page.main.append(
    head(t("Settings")),
    h(
      "div",
      { class: "lists" },
      LINKS.map(([path, name, label]) => h("a", { class: "pill", href: path }, icon(name), t(label))),
      button(t("Keys"), () => keys.help(), { class: "pill" }),
      button(t("Sign out"), signOut, { class: "pill" }),
    ),
    kept,
    push.panel,
    panel(
      t("Settings"),
      quiet(t("They are changed in config.json and by the command line.")),
      h(
        "div",
        { class: "scroll", tabindex: 0, role: "region", "aria-label": t("Settings") },
        h(
          "table",
          {},
          h(
            "thead",
            {},
            h("tr", {}, [t("Name"), t("Value"), t("Comes from")].map((name) => h("th", { scope: "col" }, name))),
          ),
          rows,
        ),
      ),
    ),
    quiet(`Fencepost ${state.session?.version ?? ""}`),
  );
  await Promise.all([refresh(), push.refresh()]);
  return { title: t("Settings"), refresh };
};
