import type { World } from './world.ts';

/** What a world's answers depend on. */
type WhatChanges = Pick<World, 'writes'> & { readonly clock: Pick<World['clock'], 'now'> };

/** Values that follow from a world's records and time alone, kept until one of these changes. */
export class Memo<Value> {
  readonly #world: WhatChanges;
  readonly #maxSize: number;
  readonly #sizeOf: (value: Value) => number;
  /** In the order of their making, the oldest first. */
  readonly #values = new Map<string, Value>();
  #size = 0;
  #writes = 0;
  #now = 0;

  /** @param maxSize what the values may take all in all, in the unit of `sizeOf`: beyond that the oldest go */
  constructor(world: WhatChanges, maxSize: number, sizeOf: (value: Value) => number) {
    this.#world = world;
    this.#maxSize = maxSize;
    this.#sizeOf = sizeOf;
  }

  get(key: string): Value | undefined {
    this.#forgetStale();
    return this.#values.get(key);
  }

  set(key: string, value: Value): void {
    this.#forgetStale();
    const size = this.#sizeOf(value) + 2 * key.length; // keys are the caller's text: as long as he likes
    if (size > this.#maxSize || this.#values.has(key)) return;
    this.#values.set(key, value);
    this.#size += size;
    for (const [oldest, old] of this.#values) {
      if (this.#size <= this.#maxSize) break;
      this.#values.delete(oldest);
      this.#size -= this.#sizeOf(old) + 2 * oldest.length;
    }
  }

  #forgetStale(): void {
    const [writes, now] = [this.#world.writes(), this.#world.clock.now()];
    if (writes === this.#writes && now === this.#now) return;
    this.#values.clear();
    this.#size = 0;
    this.#writes = writes;
    this.#now = now;
  }
}
