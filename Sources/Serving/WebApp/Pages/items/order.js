// The order of a list by hand: a reminder moves among its siblings by its handle, by dragging its row, or by Alt and an
// arrow.

import { api, pathOf } from "./api.js";
import { h, icon } from "./dom.js";
import { t } from "./i18n.js";
import { dragging } from "./rows.js";
import { change, failed } from "./toast.js";

/** Whether two rows can follow each other: reminders that this person may move, below the same one. */
const areSiblings = (one, two) =>
  one && two && one !== two && one.placed && two.placed && one.placed.parent === two.placed.parent;

/**
 * Lets the rows of a list be put into an order by hand. `mark(row, item)` is called for each row that may move.
 * `isOn()` says whether the list is shown in that order.
 */
export const ordering = (list, isOn) => {
  const siblings = (row) => [...list.children].filter((one) => one === row || areSiblings(one, row));
  /** Sends where a row stands now, among its siblings. */
  const save = async (row) => {
    const all = siblings(row), at = all.indexOf(row), { title, id } = row.placed;
    const after = all[at - 1]?.placed.id ?? null;
    const isDone = await change(
      t("{title}: place {place} of {count}", { title, place: at + 1, count: all.length }),
      () => api.post(pathOf("items", id, "position"), { after }),
    );
    if (!isDone) list.dispatchEvent(new CustomEvent("unplaced"));
  };
  /**
   * Puts a row before or after a sibling. The others move around it, because a row that leaves the page for a moment
   * loses the pointer and the focus. What is below them follows when the list is read again.
   */
  const put = (row, sibling, isAfter) => {
    const others = [...list.children].filter((one) => one !== row), all = siblings(sibling);
    // After a sibling is behind all that is below it.
    const next = isAfter ? all.slice(all.indexOf(sibling) + 1).find((one) => one !== row) : sibling;
    const at = next ? others.indexOf(next) : others.length;
    const isBefore = (one) => row.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_PRECEDING;
    for (const one of others.slice(0, at)) if (!isBefore(one)) row.before(one);
    for (const one of others.slice(at).toReversed()) if (isBefore(one)) row.after(one);
  };
  /** The sibling at a height, and whether the height is in its lower half. */
  const at = (row, y) => {
    for (const one of siblings(row)) {
      if (one === row) continue;
      const { top, bottom } = one.getBoundingClientRect();
      if (y >= top && y < bottom) return [one, y > (top + bottom) / 2];
    }
    return null;
  };
  const follow = (row, y) => {
    const found = at(row, y);
    if (found) put(row, ...found);
    // A list may be longer than the window.
    if (y < 60) scrollBy(0, -12);
    else if (y > innerHeight - 60) scrollBy(0, 12);
  };
  const byKey = (row) => (event) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!isOn() || !event.altKey || !step || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    const all = siblings(row), other = all[all.indexOf(row) + step];
    if (!other) return;
    put(row, other, step > 0);
    save(row).catch(failed);
  };
  const handle = (row) => {
    const made = h("button", {
      type: "button",
      class: "handle",
      "aria-label": t("Move {title}: Alt and an arrow, or drag", row.placed),
      title: t("Drag to move"),
    }, icon("handle"));
    let from = null;
    const end = (isKept) => () => {
      if (from === null) return;
      const isMoved = isKept && from !== siblings(row).indexOf(row);
      from = null;
      row.classList.remove("moving");
      if (isMoved) save(row).catch(failed);
      else if (!isKept) list.dispatchEvent(new CustomEvent("unplaced"));
    };
    made.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      // The row itself must not be dragged as well.
      event.preventDefault();
      event.stopPropagation();
      made.focus();
      made.setPointerCapture(event.pointerId);
      from = siblings(row).indexOf(row);
      row.classList.add("moving");
    });
    made.addEventListener("pointermove", (event) => from !== null && follow(row, event.clientY));
    made.addEventListener("pointerup", end(true));
    made.addEventListener("pointercancel", end(false));
    made.addEventListener("keydown", (event) => event.key === "Escape" && end(false)());
    made.addEventListener("dragstart", (event) => event.preventDefault());
    return made;
  };
  const mark = (row, item) => {
    if (!isOn() || item.type !== "reminder" || !item.writable) return row;
    row.placed = item;
    row.classList.add("placed");
    row.append(handle(row));
    row.addEventListener("keydown", byKey(row));
    return row;
  };
  // A row that is dragged as a whole.
  list.addEventListener("dragover", (event) => {
    const row = dragging()?.row;
    if (!isOn() || row?.parentNode !== list || !row.placed) return;
    event.preventDefault();
    follow(row, event.clientY);
  });
  list.addEventListener("drop", (event) => {
    const row = dragging()?.row;
    if (!isOn() || row?.parentNode !== list || !row.placed) return;
    event.preventDefault();
    save(row).catch(failed);
  });
  return { mark };
};
