import type { Delivery, ReplyStream } from '../protocol/call.ts';
import { halfOfStream } from '../protocol/partial-body.ts';
import { wait } from '../util/wait.ts';

/** The number of pieces over which a fault spreads the pauses of a stream of unknown length. */
const usualCount = 20;

/** The pieces of a stream under a fault: with a pause before each piece, or ended half way by the error that `fetch` reports. */
export const toArrival = async function* (
  stream: ReplyStream,
  { dripOver = 0, breaks }: Delivery = {},
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const { count = usualCount, size } = stream;
  const { pieces } = breaks === undefined ? stream : halfOfStream(stream);
  for await (const piece of pieces) {
    const share = size === undefined ? 1 / count : piece.byteLength / size;
    await wait(dripOver * share, { signal });
    yield piece;
  }
  if (breaks !== undefined) throw new TypeError('terminated');
};
