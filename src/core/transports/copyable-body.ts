/** How a body is sent; by default, all at once. */
interface Arrival {
  /** Awaited before each piece. An error that it throws ends the body. */
  readonly beforeEach?: (() => Promise<void>) | undefined;
  /** Ends the body when it aborts, with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** The error that ends the body after its last piece. */
  readonly error?: Error | undefined;
  /** Called after each piece, with the number of bytes that were read. */
  readonly onRead?: ((read: number) => void) | undefined;
  /** Called once the last piece was read, or reading was cancelled or aborted. `isRead` tells whether the body was read to its end. */
  readonly onEnd?: ((isRead: boolean) => void) | undefined;
}

/** The pieces of a body: an array, or an iterator that makes them one after another. */
export interface Pieces {
  readonly length: number;
  /** The piece at an index; undefined after the last piece. */
  at(index: number): Uint8Array | undefined | Promise<Uint8Array | undefined>;
}

/**
 * A response body in pieces, whose copies are independent of each other.
 *
 * MSW 2 clones each mocked response for its listeners. `Response.clone()` splits the body with `tee()`, and cancelling one
 * branch of a plain stream waits for the other: `await response.body.cancel()`, which clients call before they retry,
 * would never settle. Here both branches are separate bodies.
 */
export class CopyableBody extends ReadableStream<Uint8Array<ArrayBuffer>> {
  readonly #pieces: Pieces;
  readonly #arrival: Arrival;

  constructor(pieces: Pieces, arrival: Arrival = {}) {
    // No piece is queued: an error would drop pieces that were not read yet.
    super(createReader(pieces, arrival), { highWaterMark: 0 });
    this.#pieces = pieces;
    this.#arrival = arrival;
  }

  override tee(): [CopyableBody, CopyableBody] {
    this.getReader(); // locks the stream as tee() does; throws if it is locked already
    return [new CopyableBody(this.#pieces, this.#arrival), new CopyableBody(this.#pieces, this.#arrival)];
  }
}

/** A byte stream, like the bodies of `fetch`. Older versions of Safari do not have them. */
const byteStream = 'ReadableByteStreamController' in globalThis ? ({ type: 'bytes' } as const) : {};

const createReader = (
  pieces: Pieces,
  { beforeEach, signal, error, onRead = () => {}, onEnd = () => {} }: Arrival,
): UnderlyingSource<Uint8Array<ArrayBuffer>> => {
  let next = 0;
  let read = 0;
  return {
    ...byteStream,
    start: (controller) => {
      signal?.addEventListener('abort', () => {
        controller.error(signal.reason);
        onEnd(false);
      });
    },
    pull: async (controller) => {
      let piece: Uint8Array | undefined;
      try {
        await beforeEach?.();
        piece = await pieces.at(next);
      } catch (reason) {
        controller.error(reason);
        onEnd(false);
        return;
      }
      next += 1;
      read += piece?.byteLength ?? 0;
      onRead(read);
      // The stream takes ownership of the buffer, so it gets a copy.
      if (piece !== undefined) controller.enqueue(piece.slice());
      // An error waits for the next read, since it would drop this piece.
      if (piece !== undefined && (next < pieces.length || error !== undefined)) return;
      if (error !== undefined) controller.error(error);
      else {
        controller.close();
        // Without this, a BYOB read would wait forever.
        if ('byobRequest' in controller) controller.byobRequest?.respond(0);
      }
      onEnd(error === undefined);
    },
    cancel: () => onEnd(false),
  };
};
