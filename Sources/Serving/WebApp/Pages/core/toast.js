// Short messages at the edge of the page, with Undo after a change.

import { api, appPage } from "./api.js";
import { button, h, iconButton } from "./dom.js";
import { t } from "./i18n.js";

const holder = document.getElementById("toasts");
holder.setAttribute("role", "region");
holder.setAttribute("aria-label", t("Messages"));
const spoken = document.getElementById("spoken");

/** Read out by screen readers. */
export const say = (text) => {
  spoken.textContent = "";
  setTimeout(() => {
    spoken.textContent = text;
  }, 50);
};

export const toast = (text, { actions = [], isError = false, seconds = 8 } = {}) => {
  const close = () => made.remove();
  const made = h(
    "div",
    { class: isError ? "toast error" : "toast" },
    h("p", {}, text),
    actions.map(([label, run]) =>
      button(label, () => {
        close();
        run();
      })
    ),
    iconButton("close", t("Close"), close),
  );
  while (holder.children.length > 2) holder.firstChild.remove();
  holder.append(made);
  say(text);
  const wait = () => setTimeout(() => (made.matches(":hover, :focus-within") ? wait() : close()), seconds * 1000);
  wait();
};

export const failed = (error) => {
  if (error?.name === "AbortError") return;
  if (!(error?.status || error?.isOffline)) console.error(error);
  toast(error.message, { isError: true, seconds: 12 });
};

let refresh = () => {};
export const onChange = (run) => {
  refresh = run;
};

const flip = (path, text, label, other) => async (step) => {
  try {
    const made = await api.post(path, { step });
    holder.replaceChildren();
    toast(t(text, made), { actions: [[t(label), () => other()(made.step)]] });
    refresh();
  } catch (error) {
    failed(error);
  }
};
/** Takes back a step, only if it is the last one; without a step the last one. */
export const undo = flip("/undo", "Undone: {label}", "Redo", () => redo);
export const redo = flip("/redo", "Done again: {label}", "Undo", () => undo);

/**
 * Does a change, says so with Undo, and shows the page again. Gives what the change gave, undefined if it failed.
 * `text` may be made of what the change gave.
 */
export const change = async (text, run) => {
  try {
    const result = (await run()) ?? true;
    toast(typeof text === "function" ? text(result) : text, {
      actions: appPage || !result.step ? [] : [[t("Undo"), () => undo(result.step)]],
    });
    refresh();
    return result;
  } catch (error) {
    failed(error);
    return undefined;
  }
};
