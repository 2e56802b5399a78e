// One stream of events for all windows of a browser, which allows few connections to a server: the window that holds
// a lock listens, and tells the others.

import { eventsPath } from "./api.js";

const TYPES = ["change", "positions", "firing"], PAUSE = 10000;

/**
 * `heard(type, data)` gets the events, `reached(isReached)` whether the server answers: true each time that a stream
 * begins. What happened before it was heard by none.
 */
export const eventStream = (heard, reached) => {
  const channel = new BroadcastChannel("fencepost-events");
  let stream = null, end = null, isWanted = false;
  channel.onmessage = ({ data }) => {
    if (!isWanted) return;
    if (data.type) heard(data.type, data.data);
    else reached(data.isReached);
  };
  const tell = (message) => {
    channel.postMessage(message);
    channel.onmessage({ data: message });
  };
  const open = () => {
    stream = new EventSource(eventsPath);
    for (const type of TYPES) stream.addEventListener(type, ({ data }) => tell({ type, data }));
    stream.onopen = () => tell({ isReached: true });
    stream.onerror = () => {
      tell({ isReached: false });
      if (stream?.readyState !== EventSource.CLOSED) return;
      stream = null;
      setTimeout(() => {
        if (isWanted && end && !stream) open();
      }, PAUSE);
    };
  };
  const start = () => {
    if (isWanted) return;
    isWanted = true;
    // The lock may come after the window was hidden, and even after it was shown again.
    const ended = new AbortController(), { signal } = ended;
    const hold = () => (signal.aborted ? null : new Promise((resolve) => {
      signal.addEventListener("abort", resolve);
      open();
    }));
    end = () => ended.abort();
    // Without locks (an old browser) each window listens for itself.
    if (!navigator.locks) return void hold();
    let isFirst = true;
    navigator.locks.request("fencepost-events", { ifAvailable: true }, (lock) => (lock ? hold() : (isFirst = false)))
      .then(() => {
        if (isFirst || signal.aborted) return null;
        return navigator.locks.request("fencepost-events", { signal }, hold);
      }).catch((error) => {
        if (error.name !== "AbortError") throw error;
      });
  };
  const stop = () => {
    isWanted = false;
    stream?.close();
    stream = null;
    end?.();
    end = null;
  };
  return { start, stop };
};
