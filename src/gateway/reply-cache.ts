import type { Marking } from '../protocol/assume.ts';
import type { AssumptionId } from '../protocol/assumptions.ts';
import type { Call, Reply } from '../protocol/call.ts';
import type { World } from '../world/world.ts';

/**
 * Makes a reply, or returns the one of an equal call before, unless the records or the time of the world have changed since. A reply
 * must depend on the call and the world alone.
 */
export const cacheReply = (make: () => Reply, call: Call, world: World, marking: Marking): Reply => {
  const key = keyOf(call);
  if (key === undefined) return make();
  let cached = replies.get(world, key);
  if (cached === undefined) {
    const before = marking.marks.length;
    const { status, headers, body, page } = make();
    const reply = { status, headers, body, page, bytes: encoder.encode(body ?? '') };
    cached = { reply, marks: marking.marks.slice(before) };
    replies.set(world, key, cached);
  }
  for (const id of cached.marks) marking.mark(id);
  return cached.reply;
};

/** A reply with its bytes, and the assumptions that mark it. */
interface CachedReply {
  readonly reply: Reply & { readonly bytes: Uint8Array };
  readonly marks: readonly AssumptionId[];
}

const encoder = new TextEncoder();

/** The maximum size of the cached replies of all worlds, in bytes. Text and bytes both count: about fifteen pages. */
const maxCached = 1_000_000;

/** The longest request body that is part of a cache key, in bytes. */
const maxKeyBody = 4000;

/** The parts of an accepted call that its reply depends on; undefined if they are too large for a key. */
const keyOf = ({ path, query, body, header }: Call): string | undefined => {
  if (typeof body === 'string' || body.byteLength > maxKeyBody) return undefined;
  if (body.byteLength === 0) return `${path}?${query}`;
  // No header value has a line break, so a missing header differs from any value.
  const type = `${header('content-type') ?? '\n'}\n${header('content-encoding') ?? '\n'}`;
  return `${path}?${query}\n${type}\n${byteText.decode(body)}`;
};

/** Each byte becomes one character. Decoded as UTF-8, different invalid bodies could become the same text. */
const byteText = new TextDecoder('latin1');

/** What the replies of a world depend on. */
type VersionedWorld = Pick<World, 'writes'> & { readonly clock: Pick<World['clock'], 'now'> };

/** A cache of values that depend only on the records and the time of a world. */
export class WorldCache<Value> {
  readonly #maxSize: number;
  readonly #sizeOf: (value: Value) => number;
  /** The oldest first. */
  readonly #values = new Map<
    string,
    { readonly value: Value; readonly size: number; readonly writes: number; readonly now: number }
  >();
  /** Numbers the worlds, so that cached values do not keep a world in memory. */
  readonly #worlds = new WeakMap<VersionedWorld, number>();
  #lastWorld = 0;
  #size = 0;

  /** @param maxSize the maximum total size, in the unit of `sizeOf`. Beyond it, the oldest values are removed. */
  constructor(maxSize: number, sizeOf: (value: Value) => number) {
    this.#maxSize = maxSize;
    this.#sizeOf = sizeOf;
  }

  get(world: VersionedWorld, key: string): Value | undefined {
    const kept = this.#values.get(this.#nameOf(world, key));
    const isFresh = kept?.writes === world.writes() && kept.now === world.clock.now();
    return isFresh ? kept.value : undefined;
  }

  set(world: VersionedWorld, key: string, value: Value): void {
    const name = this.#nameOf(world, key);
    const size = this.#sizeOf(value) + 2 * name.length; // callers choose the keys, of any length
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

  #nameOf(world: VersionedWorld, key: string): string {
    const number = this.#worlds.get(world) ?? ++this.#lastWorld;
    this.#worlds.set(world, number);
    return `${number} ${key}`;
  }
}

const replies = new WorldCache<CachedReply>(maxCached, ({ reply }) => 2 * reply.bytes.byteLength);
