// What was changed, the latest first. Each step can be undone, with those after it; what was undone, done again.

import { api } from "./api.js";
import { ask } from "./dialogs.js";
import { button, chip, empty, entry, h, head, quiet, refill } from "./dom.js";
import { n, t } from "./i18n.js";
import { stepText } from "./steps.js";
import { ago, dayName, dayOf } from "./time.js";
import { change, failed } from "./toast.js";

const MOST_NAMED = 8;

export const show = async (page) => {
  const body = h("div", {});
  /** Undoes or redoes steps, the first one first. */
  const flip = async (path, label, steps) => {
    const [last, ...before] = steps.toReversed();
    const text = stepText(last);
    if (before.length) {
      const named = before.toReversed().slice(0, MOST_NAMED).map((step) => h("li", {}, stepText(step)));
      const rest = before.length - named.length;
      const list = h("ul", { class: "named" }, named, rest > 0 && h("li", {}, n(rest, "{n} more", "{n} more")));
      const title = path === "/undo"
        ? n(before.length, "This undoes {n} later change too.", "This undoes {n} later changes too.")
        : n(before.length, "This does {n} earlier change again too.", "This does {n} earlier changes again too.");
      if (!await ask(title, list, [[true, t(label), "primary"]])) return;
    }
    await change(t(path === "/undo" ? "Undone: {label}" : "Done again: {label}", { label: text }), async () => {
      for (const { step } of steps) await api.post(path, { step });
    });
    await refresh();
  };
  const refresh = async () => {
    const { steps } = await api.get("/undo");
    const done = steps.filter((step) => !step.undone), undone = steps.filter((step) => step.undone).toReversed();
    const row = (step) => {
      const [path, label, all] = step.undone ? ["/redo", "Redo", undone] : ["/undo", "Undo", done];
      const text = stepText(step);
      return entry(
        step.step,
        ["undo"],
        text,
        { class: step.undone ? "row done" : "row", details: [ago(step.time), step.undone && chip(t("undone"))] },
        button(t(label), () => flip(path, label, all.slice(0, all.indexOf(step) + 1)).catch(failed), {
          "aria-label": `${t(label)}: ${text}`,
        }),
      );
    };
    refill(
      body,
      steps.length
        ? [...Map.groupBy(steps, (step) => dayOf(step.time))].map(([day, found]) =>
          h(
            "section",
            { class: "dayblock" },
            h("h2", {}, dayName(day, "long")),
            h("ul", { class: "rows" }, found.map(row)),
          )
        )
        : empty(t("Nothing can be undone.")),
    );
  };
  page.main.append(
    head(t("Changes")),
    quiet(t("Undoing a change also undoes those that came after it.")),
    body,
  );
  await refresh();
  return { title: t("Changes"), refresh };
};
