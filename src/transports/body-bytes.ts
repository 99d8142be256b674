import type { Call } from '../protocol/call.ts';
import { hasRounded, toJsonText } from '../util/json.ts';
import { limits } from '../util/limits.ts';

/** Shared: creating one takes as long as reading all the headers. */
export const noBody = new Uint8Array();

/**
 * Collects the body of a request in one buffer, since chunks of one byte would each take a hundred times as much. It takes
 * what has arrived, whatever size a client announces.
 */
export class BodyBytes {
  /** How much has arrived, including what was dropped. */
  size = 0;
  #buffer = noBody;

  add(chunk: Uint8Array): void {
    const before = this.size;
    this.size += chunk.byteLength;
    if (this.size > limits.body) this.#buffer = noBody;
    else {
      if (this.size > this.#buffer.byteLength) this.#grow();
      this.#buffer.set(chunk, before);
    }
  }

  /** Ends the collection, and returns the body. */
  end(): Call['body'] {
    return this.size > limits.body ? 'too-large' : this.#buffer.slice(0, this.size);
  }

  #grow(): void {
    const larger = new Uint8Array(Math.min(Math.max(this.size, 2 * this.#buffer.byteLength), limits.body));
    larger.set(this.#buffer);
    this.#buffer = larger;
  }
}

/** The bytes of a body that was parsed before: the original text, or the JSON of the parsed value. */
export const bytesOfParsed = (body: unknown): Call['body'] => {
  if (body instanceof Uint8Array) return body;
  if (typeof body !== 'object' || body === null) return encoder.encode(String(body ?? ''));
  const text = toJsonText(body); // it throws if the body contains itself
  return hasRounded(body) ? 'rounded' : encoder.encode(text);
};

const encoder = new TextEncoder();
