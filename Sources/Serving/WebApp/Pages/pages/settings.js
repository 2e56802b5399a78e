// Settings and where each comes from; ways to the rarer pages; what can be undone.

import { api } from "./api.js";
import { button, chip, empty, entry, h, head, icon, panel, quiet, refill } from "./dom.js";
import { t } from "./i18n.js";
import { signOut } from "./app.js";
import { keys } from "./keys.js";
import { flush, forget, waiting } from "./offline.js";
import { pushPanel } from "./push.js";
import { state } from "./state.js";
import { ago } from "./time.js";
import { redo, toast, undo } from "./toast.js";

const LINKS = [
  ["/log", "log", "Log"],
  ["/suggestions", "note", "Suggestions"],
  ["/sources", "lists", "Sources"],
  ["/conflicts", "warn", "Conflicts"],
  ["/clients", "clients", "Clients and sessions"],
  ["/phone", "phone", "Set up a phone"],
  ["/day/today", "day", "A day on the map"],
];

export const show = async (page) => {
  const rows = h("tbody", {}), steps = h("ul", { class: "rows" }), kept = h("div", {});
  const push = pushPanel();
  const refresh = async () => {
    const [{ settings }, undone, wait] = await Promise.all([api.get("/settings"), api.get("/undo"), waiting()]);
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
      steps,
      undone.steps.length
        ? undone.steps.slice(0, 20).map((step) =>
          entry(step.step, ["undo"], step.label, {
            class: step.undone ? "row done" : "row",
            details: [ago(step.time), step.undone && chip(t("undone"))],
          })
        )
        : empty(t("Nothing can be undone.")),
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
      t("Changes"),
      h("div", { class: "tools" }, button(t("Undo"), () => undo(), {}, icon("undo")), button(t("Redo"), () => redo())),
      steps,
    ),
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
