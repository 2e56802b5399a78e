// What was changed here and on a server at the same time: which value was kept, and which was not.

import { api, pathOf } from "./api.js";
import { isSure } from "./dialogs.js";
import { button, chip, empty, entry, h, head, quiet, refill } from "./dom.js";
import { t } from "./i18n.js";
import { whenText } from "./time.js";
import { change, failed } from "./toast.js";

/** The value of a content line, for people. */
const value = (lines) =>
  lines.map((line) =>
    line.replace(/^[^:]*:/, "").replace(/\\([nN,;\\])/g, (_, c) => (c === "n" || c === "N" ? " " : c))
  ).join(", ") || t("(removed)");

export const show = async (page) => {
  const rows = h("ul", { class: "rows" });
  const row = (one) =>
    entry(`${one.uid} ${one.property} ${one.found}`, ["warn"], one.title, {
      href: one.item && pathOf("item", one.item),
      details: [
        chip(one.list, null, "list"),
        whenText(one.found),
        chip(one.property),
        t("kept: {text}", { text: value(one.kept) }),
        h("span", { class: "quiet" },
          t(one.loser === "local" ? "not kept, from here: {text}" : "not kept, from the server: {text}",
            { text: value(one.lost) })),
      ],
    }, button(t("Use the other one"), () => restore(one).catch(failed)));
  const restore = async (one) => {
    await change(t("Changed: {title}", one), () => api.post(pathOf("conflicts", String(one.number), "restore"), {}));
    await refresh();
  };
  const forget = async () => {
    if (!(await isSure(t("Forget all conflicts?"), t("The items stay as they are."), t("Forget")))) return;
    await api.remove("/conflicts");
    await refresh();
  };
  const forgetAll = button(t("Forget all"), () => forget().catch(failed));
  const refresh = async () => {
    const { conflicts } = await api.get("/conflicts");
    forgetAll.hidden = !conflicts.length;
    refill(rows, conflicts.length ? conflicts.map(row) : empty(t("There are no conflicts.")));
  };
  page.main.append(
    head(t("Conflicts"), forgetAll),
    quiet(t("What was changed here and on a server at the same time. Fencepost kept one value; the other is here.")),
    rows,
  );
  await refresh();
  return { title: t("Conflicts"), refresh };
};
