// A picture of a page as a PNG of 256 colours, which takes a third of the size.
import { crc32, deflateSync } from 'node:zlib';

/** @param {string} type @param {Buffer} data */
const chunk = (type, data) => {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
};

/** @param {number} colour */
const channelsOf = (colour) => [colour >> 16, (colour >> 8) & 255, colour & 255];

/** @param {readonly number[]} palette @param {number} colour */
const nearest = (palette, colour) => {
  const distances = palette.map((other) => {
    const [a, b] = [channelsOf(colour), channelsOf(other)];
    return a.reduce((sum, value, at) => sum + (value - (b[at] ?? 0)) ** 2, 0);
  });
  return distances.indexOf(Math.min(...distances));
};

/**
 * Keeps the 256 most frequent colours; any other one becomes the nearest of them.
 *
 * @param {{ width: number, height: number, data: readonly number[] }} picture four bytes for each pixel
 */
export const toSmallPng = ({ width, height, data }) => {
  const pixels = Array.from({ length: width * height }, (_, at) => {
    const [red = 0, green = 0, blue = 0] = data.slice(4 * at, 4 * at + 3);
    return (red << 16) | (green << 8) | blue;
  });
  /** @type {Map<number, number>} */
  const counts = new Map();
  for (const colour of pixels) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const byCount = [...counts].sort((a, b) => b[1] - a[1]).map(([colour]) => colour);
  const palette = byCount.slice(0, 256);
  const places = new Map(byCount.map((colour, at) => [colour, at < 256 ? at : nearest(palette, colour)]));
  const lines = Buffer.alloc((width + 1) * height); // each line begins with its filter: none
  pixels.forEach((colour, at) => {
    lines[at + Math.floor(at / width) + 1] = places.get(colour) ?? 0;
  });
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width);
  head.writeUInt32BE(height, 4);
  head.set([8, 3], 8); // 8 bits, a palette
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('PLTE', Buffer.from(palette.flatMap(channelsOf))),
    chunk('IDAT', deflateSync(lines, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};
