import type { Call } from '../protocol/call.ts';
import { limits } from '../util/limits.ts';

/** Shared: creating one takes as long as reading all the headers. */
export const noBody = new Uint8Array();

/** After this many chunks, a body whose chunks are tiny on average is refused: each chunk costs as much as a small call. */
const manyChunks = 10_000;
const tinyChunk = 16;

/**
 * Collects the body of a request in one buffer, since chunks of one byte would each take a hundred times as much. It takes
 * what has arrived, whatever size a client announces.
 */
export class BodyBytes {
  /** How much has arrived, including what was dropped. */
  size = 0;
  #chunks = 0;
  #buffer = noBody;
  #refusal: 'too-large' | 'tiny-chunks' | undefined;

  add(chunk: Uint8Array): void {
    const before = this.size;
    this.size += chunk.byteLength;
    this.#chunks += 1;
    if (this.#refusal !== undefined) return;
    if (this.size > limits.body) this.#refuse('too-large');
    else if (this.#chunks > manyChunks && this.size < tinyChunk * this.#chunks) this.#refuse('tiny-chunks');
    else {
      if (this.size > this.#buffer.byteLength) this.#grow();
      this.#buffer.set(chunk, before);
    }
  }

  /** Ends the collection, and returns the body. */
  end(): Call['body'] {
    return this.#refusal ?? this.#buffer.slice(0, this.size);
  }

  #refuse(refusal: 'too-large' | 'tiny-chunks'): void {
    this.#refusal = refusal;
    this.#buffer = noBody;
  }

  #grow(): void {
    const larger = new Uint8Array(Math.min(Math.max(this.size, 2 * this.#buffer.byteLength), limits.body));
    larger.set(this.#buffer);
    this.#buffer = larger;
  }
}
