// What was changed here and on a server at the same time: which value was kept, and which was not.

import { api } from "./api.js";
import { ask } from "./dialogs.js";
import { button, h, icon, refill } from "./dom.js";
import { t } from "./i18n.js";
import { whenText } from "./time.js";
import { failed } from "./toast.js";

/** The value of a content line, for people. */
const value = (lines) =>
  lines.map((line) =>
    line.replace(/^[^:]*:/, "").replace(/\\([nN,;\\])/g, (_, c) => (c === "n" || c === "N" ? " " : c))
  ).join(", ") || t("(removed)");

export const show = async (page) => {
  const rows = h("ul", { class: "rows" });
  const row = (one) =>
    h(
      "li",
      { class: "row", "data-row": "", "data-key": `${one.uid} ${one.property} ${one.found}` },
      h("span", { class: "badge time" }, icon("warn")),
      h(
        "div",
        { class: "what" },
        one.item ? h("a", { href: `/item/${encodeURIComponent(one.item)}` }, one.title)
          : h("span", { class: "title" }, one.title),
        h(
          "span",
          { class: "details" },
          h("span", { class: "chip list" }, one.list),
          h("span", {}, whenText(one.found)),
          h("span", { class: "chip" }, one.property),
          h("span", {}, t("kept: {text}", { text: value(one.kept) })),
          h("span", { class: "quiet" },
            t(one.loser === "local" ? "not kept, from here: {text}" : "not kept, from the server: {text}",
              { text: value(one.lost) })),
        ),
      ),
    );
  const forget = async () => {
    if (!(await ask(t("Forget all conflicts?"), t("The items stay as they are."), [["yes", t("Forget"), "danger"]]))) {
      return;
    }
    await api.remove("/conflicts");
    await refresh();
  };
  const tools = h("div", { class: "tools" }, button(t("Forget all"), () => forget().catch(failed)));
  const refresh = async () => {
    const { conflicts } = await api.get("/conflicts");
    tools.hidden = !conflicts.length;
    refill(rows, conflicts.length ? conflicts.map(row) : h("li", { class: "empty" }, t("There are no conflicts.")));
  };
  page.main.append(
    h("header", { class: "bar-top" }, h("h1", {}, t("Conflicts")), tools),
    h("p", { class: "quiet" },
      t("What was changed here and on a server at the same time. Fencepost kept one value; the other is here.")),
    rows,
  );
  await refresh();
  return { title: t("Conflicts"), refresh };
};
