/** How a body arrives, where that is not at once and whole. */
export interface Arrival {
  /** Waited for before each piece. What it throws ends the body. */
  readonly beforeEach?: (() => Promise<void>) | undefined;
  /** What the body ends with behind its last piece, instead of closing. */
  readonly error?: Error | undefined;
  /** Called when the last piece has been read, or the reader has gone. */
  readonly onEnd?: (() => void) | undefined;
}

/**
 * The body of a response, in pieces that are read one by one, and whose copies do not wait for each other.
 *
 * MSW 2 clones each mocked response for its listeners. `Response.clone()` splits the body by `tee()`, and of the two
 * branches of a plain stream none can be cancelled before the other is: `await response.body.cancel()`, by which
 * clients drop a reply before they try again, would never settle. Here both branches are bodies of their own.
 */
export class CopyableBody extends ReadableStream<Uint8Array<ArrayBuffer>> {
  readonly #pieces: readonly Uint8Array[];
  readonly #arrival: Arrival;

  constructor(pieces: readonly Uint8Array[], arrival: Arrival = {}) {
    // Each piece is made when it is asked for: an error would drop what waits to be read.
    super(createSource(pieces, arrival), { highWaterMark: 0 });
    this.#pieces = pieces;
    this.#arrival = arrival;
  }

  override tee(): [CopyableBody, CopyableBody] {
    this.getReader(); // locks it, as a tee does; throws where somebody reads it already
    return [new CopyableBody(this.#pieces, this.#arrival), new CopyableBody(this.#pieces, this.#arrival)];
  }
}

/** As the bodies of `fetch` are, where the runtime has such streams: older Safaris do not. */
const kind = 'ReadableByteStreamController' in globalThis ? ({ type: 'bytes' } as const) : {};

const createSource = (
  pieces: readonly Uint8Array[],
  { beforeEach, error, onEnd = () => {} }: Arrival,
): UnderlyingSource<Uint8Array<ArrayBuffer>> => {
  let next = 0;
  return {
    ...kind,
    pull: async (controller) => {
      try {
        await beforeEach?.();
      } catch (reason) {
        controller.error(reason);
        onEnd();
        return;
      }
      const piece = pieces[next];
      next += 1;
      // The stream takes the buffer for its own.
      if (piece !== undefined) controller.enqueue(piece.slice());
      // An error comes with the next read: it would take the piece along.
      if (next < pieces.length || (piece !== undefined && error !== undefined)) return;
      if (error !== undefined) controller.error(error);
      else {
        controller.close();
        // A read into a buffer of the reader's own waits for it.
        if ('byobRequest' in controller) controller.byobRequest?.respond(0);
      }
      onEnd();
    },
    cancel: onEnd,
  };
};
