import { type Delivery, halfOfStream, type ReplyStream } from '../protocol/call.ts';
import { wait } from '../util/wait.ts';

/** Over how many pieces a stream of unknown length is spread that a fault slows down. */
const usualCount = 20;

/** The pieces of a stream as faults let them arrive: with a pause before each, or ended half way by an error, as `fetch` reports it. */
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
