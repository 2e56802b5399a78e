// Questions in a dialog.

import { answers, button, h } from "./dom.js";
import { t } from "./i18n.js";

/**
 * Shows a dialog until it is closed; `fill(close)` gives its content. Gives what close was called with, else null.
 * `mayClose` is asked before Escape and a click beside it close it.
 */
export const dialog = (title, fill, { mayClose = () => true, ...props } = {}) =>
  new Promise((resolve) => {
    let result = null;
    const close = (value = null) => {
      result = value;
      made.close();
    };
    const made = h("dialog", { "aria-label": title, ...props }, h("h2", {}, title), fill(close));
    made.addEventListener("close", () => {
      made.remove();
      resolve(result);
    });
    const leave = async () => {
      if (await mayClose()) close();
    };
    made.addEventListener("click", (event) => {
      if (event.target === made) leave();
    });
    made.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      leave();
    });
    made.addEventListener("cancel", (event) => {
      event.preventDefault();
      leave();
    });
    document.body.append(made);
    made.showModal();
  });

/** A question with some answers: [value, label, class] each. Gives the value, null for Cancel. */
export const ask = (title, text, choices) =>
  dialog(title, (close) => [
    text && (typeof text === "string" ? h("p", {}, text) : text),
    answers(
      choices.map(([value, label, kind]) => button(label, () => close(value), { class: kind })),
      button(t("Cancel"), () => close()),
    ),
  ]);
/** Whether the reader wants what can't be had back easily. */
export const isSure = (title, text, label = t("Delete")) => ask(title, text, [[true, label, "danger"]]);

/** Which occurrences of a series a change is for. */
export const askSpan = (title) =>
  ask(title, t("This is one of a series."), [
    ["this", t("Only this one")],
    ["future", t("This and all later ones")],
    ["all", t("All of them")],
  ]);

/** Content with a button that closes it. */
export const notice = (title, ...content) =>
  dialog(title, (close) => [content, answers(button(t("Close"), () => close(), { class: "primary" }))]);

/** A dialog with a form; `fields` is its content, `read()` what it gives, or throws an error with a sentence. */
export const form = (title, fields, action, run) =>
  dialog(title, (close) => {
    const problem = h("p", { class: "problem", role: "alert" });
    return h(
      "form",
      {
        onsubmit: async (event) => {
          event.preventDefault();
          try {
            close((await run()) ?? true);
          } catch (error) {
            problem.textContent = error.message;
          }
        },
      },
      fields,
      problem,
      answers(h("button", { class: "primary" }, action), button(t("Cancel"), () => close())),
    );
  });
