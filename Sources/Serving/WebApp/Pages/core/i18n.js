// Texts are written in English where they are used; a table per language (de.json) has the others.

const chosen = () => {
  try {
    return JSON.parse(localStorage.getItem("display")) ?? {};
  } catch {
    return {};
  }
};
/** What the reader chose for this browser: {language, clock: "h23" or "h12", week: 0 for Monday}, or less. */
export const display = chosen();
const name = display.language || navigator.language || "en";
/** For Intl: with the clock of 12 or 24 hours if the reader chose one. */
export const language = display.clock ? new Intl.Locale(name, { hourCycle: display.clock }).toString() : name;
const short = name.slice(0, 2);
const tables = ["de"];
let table = {};
if (tables.includes(short)) {
  table = await fetch(new URL(`./${short}.json`, import.meta.url)).then((answer) => answer.json()).catch(() => ({}));
}
/** The forms of sentences of the server, which have gaps in capitals: "{Count} positions". */
export const sentences = Object.keys(table).filter((text) => /\{[A-Z]/.test(text));
document.documentElement.lang = tables.includes(short) ? short : "en";

/** The text in the reader's language; `{name}` is replaced by values.name. */
export const t = (text, values) => (table[text] ?? text).replace(/\{(\w+)\}/g, (all, name) => values?.[name] ?? all);

/** One of two texts by a number: n(3, "{n} item", "{n} items"). */
export const n = (count, one, many, values) =>
  t(count === 1 ? one : many, { n: new Intl.NumberFormat(language).format(count), ...values });
