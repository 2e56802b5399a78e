// Vector tiles (Mapbox Vector Tile 2.1, github.com/mapbox/vector-tile-spec): bytes -> layers with shapes.
// A file may be from anywhere: what is wrong or too large is an error, which costs a tile.

/** Bytes of a tile after inflating, as the server has it (TileLimits), and points of one. */
const MOST_BYTES = 8 << 20, MOST_POINTS = 1 << 20;

/** The bytes of a tile; null where there is none. */
export const fetchTile = async (url) => {
  const answer = await fetch(url);
  if (!answer.ok || answer.status === 204 || !answer.headers.get("Content-Type")?.includes("vector-tile")) return null;
  const reader = answer.body.getReader(), parts = [];
  let size = 0;
  for (let part; !(part = await reader.read()).done;) {
    size += part.value.length;
    // Some bytes can inflate to a thousand times more.
    if (size > MOST_BYTES) {
      await reader.cancel();
      throw new RangeError("a tile is too large");
    }
    parts.push(part.value);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
};

/** Reads fields of Protocol Buffers, within its bytes only. */
class Fields {
  constructor(bytes, at = 0, end = bytes.length) {
    Object.assign(this, { bytes, at, end });
  }
  number() {
    for (let value = 0, power = 1; this.at < this.end && power < 2 ** 70; power *= 128) {
      const byte = this.bytes[this.at++];
      value += (byte & 127) * power;
      if (byte < 128) return value;
    }
    throw new RangeError("a tile is damaged");
  }
  /** Calls `take(number, value)` for each field: a whole number, or the fields of a part. */
  each(take) {
    while (this.at < this.end) {
      const key = this.number(), kind = key % 8, field = (key - kind) / 8;
      if (kind === 0) {
        take(field, this.number());
        continue;
      }
      const size = kind === 2 ? this.number() : { 1: 8, 5: 4 }[kind];
      if (!(size <= this.end - this.at)) throw new RangeError("a tile is damaged");
      const start = this.at;
      this.at += size;
      take(field, new Fields(this.bytes, start, this.at));
    }
  }
  text() {
    return new TextDecoder().decode(this.bytes.subarray(this.at, this.end));
  }
  value() {
    let found;
    this.each((field, part) => {
      const { bytes, at, end } = part, view = bytes && new DataView(bytes.buffer, bytes.byteOffset + at, end - at);
      if (field === 1 && view) found = part.text();
      else if (field === 2 && view.byteLength === 4) found = view.getFloat32(0, true);
      else if (field === 3 && view.byteLength === 8) found = view.getFloat64(0, true);
      else if (field === 6 && !view) found = part % 2 ? -(part + 1) / 2 : part / 2;
      else if (!view) found = field === 7 ? part > 0 : part;
    });
    return found;
  }
}

/** The lines, rings or points of a feature: lists of coordinates, x and y in turn. */
const shapes = (fields, type, room) => {
  const all = [], step = () => {
    const value = fields.number();
    return value % 2 ? -(value + 1) / 2 : value / 2;
  };
  let x = 0, y = 0, line;
  while (fields.at < fields.end) {
    const command = fields.number(), kind = command % 8, count = (command - kind) / 8;
    if (kind === 7) {
      if (line && type === 3) line.push(line[0], line[1]);
      continue;
    }
    if (kind !== 1 && (kind !== 2 || !line) || (room.left -= count) < 0) throw new RangeError("a tile is damaged");
    for (let i = 0; i < count; i++) {
      x += step();
      y += step();
      // Each point of several is a shape of its own.
      if (kind === 1) all.push(line = []);
      line.push(x, y);
    }
  }
  return all;
};

const boxOf = (all) => {
  const box = [Infinity, Infinity, -Infinity, -Infinity];
  for (const line of all) {
    for (let i = 0; i < line.length; i += 2) {
      box[0] = Math.min(box[0], line[i]);
      box[1] = Math.min(box[1], line[i + 1]);
      box[2] = Math.max(box[2], line[i]);
      box[3] = Math.max(box[3], line[i + 1]);
    }
  }
  return box;
};

/**
 * Calls `take({ layer, type, words, shapes, box })` for each feature of the layers that `wants(name)`: type 1 for
 * points, 2 for lines, 3 for areas; coordinates are fractions of the tile's width from its north-west corner.
 */
export const readTile = (bytes, wants, take) => {
  const room = { left: MOST_POINTS };
  new Fields(bytes).each((field, layer) => {
    if (field !== 3) return;
    const keys = [], values = [], features = [];
    let name = "", extent = 4096;
    layer.each((part, value) => {
      if (part === 1) name = value.text();
      else if (part === 2) features.push(value);
      else if (part === 3) keys.push(value.text());
      else if (part === 4) values.push(value);
      else if (part === 5) extent = value || 4096;
    });
    if (!wants(name)) return;
    for (const feature of features) {
      const words = {};
      let type = 0, geometry;
      feature.each((part, value) => {
        if (part === 3) type = value;
        else if (part === 4) geometry = value;
        else if (part === 2) {
          while (value.at < value.end) {
            const key = keys[value.number()], index = value.number();
            if (values[index] instanceof Fields) values[index] = values[index].value();
            if (key) words[key] = values[index];
          }
        }
      });
      if (!geometry) continue;
      const all = shapes(geometry, type, room).map((line) => line.map((value) => value / extent));
      take({ layer: name, type, words, shapes: all, box: boxOf(all) });
    }
  });
};
