// How the body of a reply is cut or split, if a fault breaks or slows it.
import type { ReplyStream } from './call.ts';

/** The part of a body that arrives before a hang-up: its first half. */
export const halfOf = (bytes: Uint8Array): Uint8Array => bytes.subarray(0, Math.floor(bytes.byteLength / 2));

/** The part of a stream that arrives before a hang-up: half of its pieces, or the first piece if its length is not known. */
export const halfOfStream = ({ pieces, count = 2, size }: ReplyStream): ReplyStream => {
  const takeHalf = async function* (): AsyncGenerator<Uint8Array> {
    let left = Math.floor((size ?? count) / 2);
    if (left === 0) return;
    for await (const piece of pieces) {
      const part = size === undefined ? piece : piece.subarray(0, left);
      yield part;
      left -= size === undefined ? 1 : part.byteLength;
      if (left === 0) return;
    }
  };
  return { pieces: takeHalf() };
};

/** The pieces in which a slow body is sent, and the pause before each, in milliseconds. */
export const toDrips = (
  bytes: Uint8Array,
  dripOver: number,
): { readonly pieces: Uint8Array[]; readonly pause: number } => {
  const count = Math.max(1, Math.min(bytes.byteLength, 20, Math.floor(dripOver / 10)));
  const at = (index: number): number => Math.floor((bytes.byteLength * index) / count);
  const pieces = Array.from({ length: count }, (_, index) => bytes.subarray(at(index), at(index + 1)));
  return { pieces, pause: dripOver / count };
};
