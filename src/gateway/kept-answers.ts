import type { Marking } from '../protocol/assume.ts';
import type { AssumptionId } from '../protocol/assumptions.ts';
import type { RawCall } from '../protocol/call.ts';
import type { World } from '../world/world.ts';
import type { Answer } from './respond.ts';

/**
 * Keeps what an operation answers until its world's records or its time change: whoever asks the same again gets it at
 * once. All that the answer depends on is the call and the world.
 */
export const keepAnswers = <Match>(
  answer: (match: Match, raw: RawCall, world: World, marking: Marking) => Answer,
): typeof answer => {
  const answers = new KeptValues<Kept>(maxKept, ({ bytes }) => 2 * bytes.byteLength);
  return (match, raw, world, marking) => {
    const key = keyOf(raw);
    if (key === undefined) return answer(match, raw, world, marking);
    const known = answers.get(world, key);
    const kept = known ?? answerAnew(() => answer(match, raw, world, marking), marking);
    if (known === undefined) answers.set(world, key, kept);
    for (const id of kept.marks) marking.mark(id);
    return kept;
  };
};

/** An answer with its bytes, and the assumptions that it is marked with. */
interface Kept extends Answer {
  readonly bytes: Uint8Array;
  readonly marks: readonly AssumptionId[];
}

const answerAnew = (answer: () => Answer, { marks }: Marking): Kept => {
  const before = marks.length;
  const made = answer();
  return { ...made, bytes: encoder.encode(made.body ?? ''), marks: marks.slice(before) };
};

const encoder = new TextEncoder();

/** What the kept answers of all worlds may take, in bytes, each as a text and as bytes: some fifteen pages. */
const maxKept = 1_000_000;

/** The longest body that a kept answer is known by, in bytes. */
const maxKeyBody = 4000;

/** All of a call that its answer depends on, once its keys were accepted; undefined where that is too much to keep. */
const keyOf = ({ path, query, body, header }: RawCall): string | undefined => {
  if (typeof body === 'string' || body.byteLength > maxKeyBody) return undefined;
  if (body.byteLength === 0) return `${path}?${query}`;
  // No header has a line break: one that is missing is not like any that is there.
  const type = `${header('content-type') ?? '\n'}\n${header('content-encoding') ?? '\n'}`;
  return `${path}?${query}\n${type}\n${byteText.decode(body)}`;
};

/** Each byte becomes a character of its own: as UTF-8, two bodies that are none would become one text. */
const byteText = new TextDecoder('latin1');

/** What a world's answers depend on. */
type WhatChanges = Pick<World, 'writes'> & { readonly clock: Pick<World['clock'], 'now'> };

/** Values that follow from the records and the time of a world alone, kept until one of these changes. */
export class KeptValues<Value> {
  readonly #maxSize: number;
  readonly #sizeOf: (value: Value) => number;
  /** In the order of their making, the oldest first. */
  readonly #values = new Map<
    string,
    { readonly value: Value; readonly size: number; readonly writes: number; readonly now: number }
  >();
  /** A number for each world, so that it may end although its values are kept. */
  readonly #worlds = new WeakMap<WhatChanges, number>();
  #lastWorld = 0;
  #size = 0;

  /** @param maxSize what the values may take all in all, in the unit of `sizeOf`: beyond that the oldest go */
  constructor(maxSize: number, sizeOf: (value: Value) => number) {
    this.#maxSize = maxSize;
    this.#sizeOf = sizeOf;
  }

  get(world: WhatChanges, key: string): Value | undefined {
    const kept = this.#values.get(this.#nameOf(world, key));
    const isFresh = kept?.writes === world.writes() && kept.now === world.clock.now();
    return isFresh ? kept.value : undefined;
  }

  set(world: WhatChanges, key: string, value: Value): void {
    const name = this.#nameOf(world, key);
    const size = this.#sizeOf(value) + 2 * name.length; // keys are the caller's text: as long as he likes
    this.#delete(name);
    if (size > this.#maxSize) return;
    this.#values.set(name, { value, size, writes: world.writes(), now: world.clock.now() });
    this.#size += size;
    for (const oldest of this.#values.keys()) {
      if (this.#size <= this.#maxSize) break;
      this.#delete(oldest);
    }
  }

  #delete(name: string): void {
    this.#size -= this.#values.get(name)?.size ?? 0;
    this.#values.delete(name);
  }

  #nameOf(world: WhatChanges, key: string): string {
    const number = this.#worlds.get(world) ?? ++this.#lastWorld;
    this.#worlds.set(world, number);
    return `${number} ${key}`;
  }
}
