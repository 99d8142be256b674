import type { Marking } from '../../core/assumptions/marking.ts';
import type { AssumptionId } from '../../core/assumptions/table.ts';
import type { Call, Reply } from '../../core/protocol/call.ts';
import type { World } from '../../core/world/world.ts';

/** A reply with its bytes, and the assumptions that mark it. */
interface CachedReply {
  readonly reply: Reply;
  readonly marks: readonly AssumptionId[];
  /** Its text and its bytes, and the key. */
  readonly size: number;
}

/** The maximum size of the cached replies of one session, in bytes: about four long pages, or ten short pages. */
const maxCached = 300_000;

const encoder = new TextEncoder();

/** How many calls are remembered that were made once. */
const maxSeenKeys = 100;

/**
 * The replies of a session to calls that were made twice: most are made once, and the session of a test should stay small. All
 * replies are dropped when the session gets another state, or when the records, the assumptions or the time of its
 * world change.
 */
export class ReplyCache {
  #world: World | undefined;
  #writes = 0;
  #now = 0;
  /** The replies by the parts of the call, the oldest first. */
  readonly #replies = new Map<string, CachedReply>();
  /** The keys of calls that were made once. */
  readonly #seenKeys = new Set<string>();
  #size = 0;

  /**
   * Returns the reply to a call. The first of equal calls is noted, the second is stored, the third gets the stored reply. The reply must
   * depend only on the call and the world.
   */
  getOrMake(call: Call, world: World, marking: Marking, make: () => Reply): Reply {
    const key = keyOf(call);
    if (key === undefined) return make();
    this.#dropStale(world);
    if (!this.#replies.has(key) && this.#noteFirst(key)) return make();
    const cached = this.#replies.get(key) ?? this.#add(key, make, marking);
    for (const id of cached.marks) marking.mark(id);
    return cached.reply;
  }

  /** Remembers a call that was not made before. Returns false if it was. */
  #noteFirst(key: string): boolean {
    if (this.#seenKeys.has(key)) return false;
    if (this.#seenKeys.size === maxSeenKeys) this.#seenKeys.clear();
    this.#seenKeys.add(key);
    return true;
  }

  #dropStale(world: World): void {
    const [writes, now] = [world.writes, world.clock.now()];
    if (world === this.#world && writes === this.#writes && now === this.#now) return;
    this.#replies.clear();
    this.#seenKeys.clear();
    this.#size = 0;
    [this.#world, this.#writes, this.#now] = [world, writes, now];
  }

  #add(key: string, make: () => Reply, marking: Marking): CachedReply {
    const before = marking.marks.length;
    const { status, headers, body, parts, page } = make();
    const bytes = encoder.encode(body ?? '');
    const size = 2 * (bytes.byteLength + key.length);
    const cachedReply = {
      reply: { status, headers, body, parts, page, bytes },
      marks: marking.marks.slice(before),
      size,
    };
    if (size > maxCached) return cachedReply;
    this.#replies.set(key, cachedReply);
    this.#size += size;
    for (const [oldest, { size: freed }] of this.#replies) {
      if (this.#size <= maxCached) break;
      this.#replies.delete(oldest);
      this.#size -= freed;
    }
    return cachedReply;
  }
}

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
