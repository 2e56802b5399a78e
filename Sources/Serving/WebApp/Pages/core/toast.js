// Short messages at the edge of the page, with Undo after a change.

import { api, appPage } from "./api.js";
import { ask } from "./dialogs.js";
import { button, h, iconButton } from "./dom.js";
import { t } from "./i18n.js";
import { stepText } from "./steps.js";
import { ago } from "./time.js";

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

/** What of another program is undone only if the reader says so. Gives the step, null if it is to stay. */
const asked = async () => {
  const { steps } = await api.get("/undo");
  const next = steps.find((step) => !step.undone);
  if (!next || next.own) return next?.step;
  const text = `${stepText(next)}, ${ago(next.time)}`;
  return await ask(t("Undo what another program did?"), text, [[true, t("Undo"), "primary"]]) ? next.step : null;
};
const flip = (path, text, label, other) => async (step) => {
  try {
    const wanted = step ?? (path === "/undo" ? await asked() : undefined);
    if (wanted === null) return;
    const made = await api.post(path, { step: wanted });
    holder.replaceChildren();
    toast(t(text, { label: stepText(made) }), { actions: [[t(label), () => other()(made.step)]] });
    refresh();
  } catch (error) {
    if (step && error.status === 409) {
      toast(t("Something was changed after it. Changes shows what, and undoes it."), {
        isError: true,
        seconds: 12,
        actions: [[t("Changes"), () => dispatchEvent(new CustomEvent("go", { detail: "/changes" }))]],
      });
    } else failed(error);
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
    const said = typeof text === "function" ? text(result) : text;
    toast(result.isKept ? t("Kept until Fencepost can be reached: {text}", { text: said }) : said, {
      actions: appPage || !result.step ? [] : [[t("Undo"), () => undo(result.step)]],
    });
    refresh();
    return result;
  } catch (error) {
    failed(error);
    return undefined;
  }
};
