import type { Call } from '../protocol/call.ts';
import { hasRounded, toJsonText } from '../util/json.ts';
import { limits } from '../util/limits.ts';

/** The body of a call that has none. */
export const noBody = new Uint8Array();

/** Collects the body of a request, up to the limit. */
export class BodyBytes {
  /** How many bytes have arrived, including those that were dropped. */
  size = 0;
  #chunks: Uint8Array[] = [];

  add(chunk: Uint8Array): void {
    this.size += chunk.byteLength;
    if (this.size > limits.body) this.#chunks = [];
    else this.#chunks.push(chunk);
  }

  /** Ends the collection, and returns the body. */
  end(): Call['body'] {
    if (this.size > limits.body) return 'too-large';
    const body = new Uint8Array(this.size);
    let at = 0;
    for (const chunk of this.#chunks) {
      body.set(chunk, at);
      at += chunk.byteLength;
    }
    return body;
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
