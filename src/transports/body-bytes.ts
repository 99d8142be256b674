import { maxBodyRoom, maxBodySize, type RawCall } from '../protocol/call.ts';

/** The size of the buffers of all bodies that are being received in this process. */
let held = 0;

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
  #refusal: 'too-large' | 'no-room' | undefined;

  add(chunk: Uint8Array): void {
    const before = this.size;
    this.size += chunk.byteLength;
    if (this.#refusal !== undefined) return;
    if (this.size > maxBodySize) this.#refuse('too-large');
    else if (this.size <= this.#buffer.byteLength || this.#grow()) this.#buffer.set(chunk, before);
    else this.#refuse('no-room');
  }

  /** Ends the collection, and returns the body. */
  end(): RawCall['body'] {
    const whole = this.size === this.#buffer.byteLength ? this.#buffer : this.#buffer.slice(0, this.size);
    this.drop();
    return this.#refusal ?? whole;
  }

  /** Gives up what was collected: the client has disconnected. It may be called again. */
  drop(): void {
    held -= this.#buffer.byteLength;
    this.#buffer = noBody;
  }

  #refuse(refusal: 'too-large' | 'no-room'): void {
    this.#refusal = refusal;
    this.drop();
  }

  #grow(): boolean {
    const capacity = Math.min(Math.max(this.size, 2 * this.#buffer.byteLength), maxBodySize);
    const more = capacity - this.#buffer.byteLength;
    if (held + more > maxBodyRoom) return false;
    held += more;
    const larger = new Uint8Array(capacity);
    larger.set(this.#buffer);
    this.#buffer = larger;
    return true;
  }
}
