// Several items at once: chosen by boxes or by x, changed together, and undone as one step.

import { api, pathOf, together } from "./api.js";
import { ask, form, isSure } from "./dialogs.js";
import { button, field, h, icon, iconButton } from "./dom.js";
import { n, t } from "./i18n.js";
import { dayMoved } from "./rows.js";
import { writable } from "./state.js";
import { addDays, today } from "./time.js";
import { change, failed, toast } from "./toast.js";

const PRESS = 450;

/**
 * Changes each of some items by `run(requests, item)`, which gives null for what stays as it is. What fails stays
 * too, and is counted.
 */
const each = async (say, items, run) => {
  const requests = together();
  let left = 0, problem = null;
  const result = await change(() => say(items.length - left), async () => {
    let last = null;
    for (const item of items) {
      try {
        const made = await run(requests, item);
        if (made === null) left += 1;
        else last = made;
      } catch (error) {
        if (error.isOffline || error.status === 401) throw error;
        problem = error;
        left += 1;
      }
    }
    if (!last && problem) throw problem;
    return last ?? {};
  });
  if (result && left) {
    toast(n(left, "{n} stayed as it was.", "{n} stayed as they were."), { isError: Boolean(problem), seconds: 12 });
  }
  return result;
};
const patch = (requests, item, body) => requests.patch(pathOf("items", item.id), body);
const words = (input) => input.value.split(/[,\s]+/).map((tag) => tag.replace(/^#/, "")).filter(Boolean);
const counted = (count) => n(count, "Changed: {n} item", "Changed: {n} items");

const setDate = async (items) => {
  const input = h("input", { type: "date", "aria-label": t("Another day") });
  const day = await ask(t("Which day?"), input, [
    [today(), t("Today")],
    [addDays(today(), 1), t("Tomorrow")],
    [addDays(today(), 7), t("Next week")],
    ["", t("Use the day above")],
    ["none", t("No date")],
  ]);
  const wanted = day || (day === "" && input.value);
  if (!wanted) return null;
  return each(counted, items, (requests, item) => {
    const isUndated = wanted === "none" && item.type === "reminder" && item.due;
    const body = wanted !== "none" ? dayMoved(item, wanted) : isUndated ? { due: null } : null;
    return body && patch(requests, item, body);
  });
};
const setList = async (items) => {
  const kinds = [...new Set(items.map((item) => item.type))];
  const lists = kinds.map(writable).reduce((a, b) => a.filter((list) => b.includes(list)));
  const id = await ask(t("Which list?"), "", lists.map((list) => [list.id, list.title]));
  if (!id) return null;
  return each(counted, items, (requests, item) =>
    item.list_id === id ? null : patch(requests, item, { list_id: id }));
};
const setPriority = async (items) => {
  const value = await ask(t("Priority"), "", [["1", t("High")], ["5", t("Medium")], ["9", t("Low")], ["0", t("None")]]);
  if (value === null) return null;
  return each(counted, items, (requests, item) =>
    item.type === "event" ? null : patch(requests, item, { priority: Number(value) }));
};
const setTags = async (items) => {
  const [added, removed] = [h("input", { type: "text" }), h("input", { type: "text" })];
  const fields = [field(t("Add tags"), added), field(t("Remove tags"), removed)];
  if (!await form(t("Tags"), fields, t("Save"), () => true)) return null;
  const [more, less] = [words(added), words(removed).map((tag) => tag.toLowerCase())];
  if (!more.length && !less.length) return null;
  return each(counted, items, (requests, item) => {
    const old = item.tags ?? [], kept = old.filter((tag) => !less.includes(tag.toLowerCase()));
    const tags = [...new Set([...kept, ...more])];
    return tags.join() === old.join() ? null : patch(requests, item, { tags });
  });
};
const complete = async (items) => {
  const open = items.filter((item) => item.type === "reminder" && !item.completed);
  if (!open.length) return null;
  return each((count) => n(count, "Done: {n} reminder", "Done: {n} reminders"), open, (requests, item) =>
    requests.post(pathOf("items", item.id, "complete"), {}));
};
const remove = async (items) => {
  const title = n(items.length, "Delete {n} item?", "Delete {n} items?");
  const hasSeries = items.some((item) => item.type === "event" && item.repeat?.length);
  if (!await isSure(title, hasSeries ? t("If something repeats, all its times are deleted.") : "")) return null;
  return each((count) => n(count, "Deleted: {n} item", "Deleted: {n} items"), items, (requests, item) =>
    requests.remove(pathOf("items", item.id)));
};

/** Runs a function when a finger rests on an element. */
const onPress = (element, run) => {
  let timer, isPressed = false;
  const end = () => clearTimeout(timer);
  element.addEventListener("pointerdown", (event) => {
    isPressed = false;
    if (event.pointerType !== "touch") return;
    timer = setTimeout(() => {
      isPressed = true;
      run();
    }, PRESS);
  });
  // The browser ends it when the finger scrolls.
  for (const name of ["pointerup", "pointercancel", "pointerleave"]) element.addEventListener(name, end);
  element.addEventListener("contextmenu", (event) => event.pointerType === "touch" && event.preventDefault());
  element.addEventListener("click", (event) => {
    if (!isPressed) return;
    isPressed = false;
    event.preventDefault();
    event.stopPropagation();
  }, { capture: true });
};

/** Choosing in a list of rows. `mark(row, item)` is called for each row, `shown()` when all are there. */
export const choosing = (list) => {
  const chosen = new Map();
  let isOn = false, isBusy = false, last = null, items = [];
  const count = h("b", { role: "status" });
  // One change at a time; nothing is chosen for another meanwhile.
  const busy = (value) => {
    isBusy = value;
    bar.setAttribute("aria-busy", String(value));
  };
  const act = (label, run, kind) =>
    button(t(label), async () => {
      if (isBusy) return;
      busy(true);
      const isDone = await run([...chosen.values()]).catch(failed);
      busy(false);
      if (isDone) set(false);
    }, { class: kind });
  const bar = h(
    "div",
    { class: "bulk", role: "toolbar", "aria-label": t("Selected entries"), hidden: true },
    count,
    button(t("All"), () => {
      for (const item of items) chosen.set(item.id, item);
      show();
    }),
    act("Date", setDate),
    act("List", setList),
    act("Priority", setPriority),
    act("Tags", setTags),
    act("Done", complete),
    act("Delete", remove, "danger"),
    iconButton("close", t("End selecting"), () => isBusy || set(false)),
  );
  const toggle = button(t("Select"), () => isBusy || set(!isOn), { "aria-pressed": "false" }, icon("check"));
  const show = () => {
    for (const row of list.children) if (row.box) row.box.checked = chosen.has(row.item.id);
    count.textContent = n(chosen.size, "{n} selected", "{n} selected");
    bar.hidden = !isOn;
    for (const one of bar.querySelectorAll("button")) one.disabled = !chosen.size && one.textContent !== t("All");
    bar.lastChild.disabled = false;
    toggle.setAttribute("aria-pressed", String(isOn));
    list.classList.toggle("choosing", isOn);
  };
  const set = (value) => {
    isOn = value;
    last = null;
    if (!isOn) chosen.clear();
    show();
  };
  const choose = (item, isRange) => {
    // The items may have been read again since the row was made.
    const place = (id) => items.findIndex((one) => one.id === id), here = place(item.id);
    const first = isRange ? place(last) : -1, [from, to] = [first < 0 ? here : first, here].sort((a, b) => a - b);
    const isChosen = isRange || !chosen.has(item.id);
    if (here < 0) return;
    for (const one of items.slice(from, to + 1)) {
      if (isChosen) chosen.set(one.id, one);
      else chosen.delete(one.id);
    }
    last = item.id;
    show();
  };
  const mark = (row, item) => {
    if (!item.writable) return row;
    row.item = item;
    row.box = h("input", {
      type: "checkbox",
      class: "choose",
      "aria-label": t("Select {title}", item),
      onclick: (event) => choose(item, event.shiftKey),
    });
    row.prepend(row.box);
    onPress(row, () => row.dispatchEvent(new CustomEvent("choose")));
    row.addEventListener("choose", () => {
      if (!isOn) set(true);
      choose(item, false);
    });
    row.querySelector("a").addEventListener("click", (event) => {
      if (!isOn) return;
      event.preventDefault();
      choose(item, event.shiftKey);
    });
    return row;
  };
  const shown = (all) => {
    items = all.filter((item) => item.writable);
    for (const id of [...chosen.keys()]) {
      const now = items.find((item) => item.id === id);
      if (now) chosen.set(id, now);
      else chosen.delete(id);
    }
    show();
  };
  return { bar, toggle, mark, shown };
};
