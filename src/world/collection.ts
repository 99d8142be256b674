import type { Order, OrderedList } from '../protocol/cursor-page.ts';
import type { Clock } from './clock.ts';
import type { Entity, Table, TableListener } from './database.ts';
import type { Resource as AnyResource, Changes, Kind } from './kind.ts';
import { findFirstIndex } from './sorted.ts';
import type { Source } from './source.ts';
import { afterSteps, countStepsUntil } from './timeline.ts';

/** Where a record stands in the total order (created_at, then creation sequence). */
export interface Position {
  readonly created_at: number;
  readonly sequence: number;
}

/** A record's place, and its id. */
interface Place extends Position {
  readonly id: string;
}

/** Places in rising order, reached by their index. */
interface Lane {
  readonly length: number;
  readonly at: (index: number) => Place;
}

/**
 * The records of one kind and owner, in order: the seeded ones of a {@link Source}, which are made in the model as they
 * are read, and those written by hand. Finding a place costs O(log n), walking on from it O(log n) a record.
 *
 * Three numbers tell a seeded record's place. Of four, from the newest to the oldest:
 *
 *     rank      0   1   2   3     how the source counts: it can grow at its old end
 *     age       3   2   1   0     the same from the oldest: an index into a rising lane, were none gone
 *     sequence -1  -2  -3  -4     how it stands among the records of its second, ahead of those made by hand (0, 1, …)
 */
export class Collection<Resource extends AnyResource>
  implements OrderedList<Resource, Position>, TableListener
{
  readonly #kind: Pick<Kind<Resource>, 'createdAt'>;
  readonly #source: Source<Resource>;
  readonly #owner: string;
  readonly #table: Table;
  readonly #clock: Clock;
  /** The records written by hand, oldest first. */
  readonly #written: Place[] = [];
  /** The ages (0 is the oldest) of the seeded records that were deleted or written over, rising. */
  readonly #gone: number[] = [];
  #nextSequence = 0;
  #isChanged = false;
  readonly #positions = new WeakMap<Resource, Position>();

  constructor(
    kind: Pick<Kind<Resource>, 'createdAt'>,
    source: Source<Resource>,
    owner: string,
    table: Table,
    clock: Clock,
  ) {
    this.#kind = kind;
    this.#source = source;
    this.#owner = owner;
    this.#table = table;
    this.#clock = clock;
  }

  /** The record of this id as it is now; undefined where there is none, or none yet. */
  get(id: string): Resource | undefined {
    const position = this.locate(id);
    return position && this.#read({ id, ...position });
  }

  locate(id: string): Position | undefined {
    const row = this.#table.get(this.#keyOf(id));
    if (row?.written) return row.owner === this.#owner ? row : undefined;
    const place = this.#findSeeded(id);
    return place === undefined || place.created_at > this.#clock.now() ? undefined : place;
  }

  *walk(from: Position | undefined, order: Order): Generator<Resource> {
    for (const place of mergeLanes(this.#seededLane(), this.#writtenLane(), from, order))
      yield this.#read(place);
  }

  /** The ids of all records, newest first. No record is made for it. */
  ids(): string[] {
    return Array.from(mergeLanes(this.#seededLane(), this.#writtenLane(), undefined, 'desc'), ({ id }) => id);
  }

  /** The lives of the newest records, at most `max`. */
  *lives(max: number): Generator<Entity<Resource>> {
    let left = max;
    for (const place of mergeLanes(this.#seededLane(), this.#writtenLane(), undefined, 'desc')) {
      if (left-- <= 0) return;
      yield this.#readEntity(place);
    }
  }

  /** All records, newest first, with those still to come. */
  *all(): Generator<Resource> {
    const seeded = this.#seededLane(Number.POSITIVE_INFINITY);
    for (const place of mergeLanes(seeded, this.#writtenLane(), undefined, 'desc')) yield this.#read(place);
  }

  /** When the next seeded record appears; undefined where all have. */
  nextBirth(): number | undefined {
    const { length, at } = this.#seededLane();
    return length < this.#source.size - this.#gone.length ? at(length).created_at : undefined;
  }

  compare(a: Position, b: Position): number {
    return comparePositions(a, b);
  }

  positionOf(resource: Resource): Position {
    const position = this.#positions.get(resource);
    if (position === undefined) throw new Error('This resource was not read from this collection.');
    return position;
  }

  /** The seeded record of this id as it stands at a moment, whatever was written over it since. */
  seededAt(id: string, moment: number): Resource | undefined {
    const rank = this.#source.ids.rankOf(id);
    if (rank === undefined || rank >= this.#source.size) return undefined;
    const life = this.#source.make(rank);
    return afterSteps(life, countStepsUntil(life, moment));
  }

  /** Puts a record in, in place of the one that has its id. From now on it stays as it is given. */
  write(resource: Resource): void {
    const { id } = resource;
    const created_at = this.#kind.createdAt?.(resource) ?? 0;
    const next = {
      key: this.#keyOf(id),
      id,
      owner: this.#owner,
      created_at,
      written: true,
      resource,
      timeline: [],
    };
    const row = this.#table.get(this.#keyOf(id)) ?? this.#readSeeded(id);
    if (row === undefined) this.#table.create({ ...next, sequence: this.#nextSequence++ });
    else this.#table.replace(row, { ...next, sequence: row.sequence });
  }

  /** Takes a record out; false where there is none of this id. */
  remove(id: string): boolean {
    const row = this.#table.get(this.#keyOf(id)) ?? this.#readSeeded(id);
    if (row === undefined || row.owner !== this.#owner) return false;
    this.#table.remove(this.#keyOf(id));
    return true;
  }

  /** Whether anything was written or taken out, even where nothing of that is left. */
  get isChanged(): boolean {
    return this.#isChanged;
  }

  /** What was written, in the order of its creation, and which seeded records were taken out before. */
  changes(): Changes {
    const rows = this.#written
      .toSorted((a, b) => a.sequence - b.sequence)
      .map(({ id }) => this.#table.get(this.#keyOf(id)) as Entity<Resource>); // the table has a row of each
    const overwritten = new Set(rows.flatMap(({ id, sequence }) => (sequence < 0 ? [id] : [])));
    const gone = this.#gone.map((age) => this.#source.ids.at(this.#ageOf(age)));
    return {
      records: rows.map(({ resource }) => resource),
      deleted: gone.filter((id) => !overwritten.has(id)),
    };
  }

  #keyOf(id: string): string {
    return `${this.#owner.length}/${this.#owner}/${id}`;
  }

  #findSeeded(id: string): Place | undefined {
    const rank = this.#source.ids.rankOf(id);
    if (rank === undefined || rank >= this.#source.size) return undefined;
    const age = this.#ageOf(rank);
    return this.#gone[this.#indexOfGone(age)] === age ? undefined : this.#seededPlace(rank);
  }

  #readSeeded(id: string): Entity | undefined {
    const place = this.#findSeeded(id);
    return place && this.#makeSeeded(place);
  }

  onCreate(entity: Entity): void {
    if (entity.written) this.#insert(entity);
  }

  onReplace(previous: Entity, next: Entity): void {
    this.onRemove(previous);
    this.#insert(next);
  }

  onRemove(entity: Entity): void {
    this.#isChanged = true;
    if (entity.written) {
      this.#written.splice(this.#indexOfWritten(entity), 1);
    } else {
      const age = this.#ageOf(-1 - entity.sequence);
      this.#gone.splice(this.#indexOfGone(age), 0, age);
    }
  }

  #insert({ id, created_at, sequence }: Entity): void {
    this.#isChanged = true;
    this.#written.splice(this.#indexOfWritten({ created_at, sequence }), 0, { id, created_at, sequence });
  }

  #read(place: Place): Resource {
    const { created_at, sequence } = place;
    const resource = viewAt<Resource>(this.#readEntity(place), this.#clock.now());
    this.#positions.set(resource, { created_at, sequence });
    return resource;
  }

  #readEntity({ id, created_at, sequence }: Place): Entity<Resource> {
    const entity = this.#table.get(this.#keyOf(id)) ?? this.#makeSeeded({ id, created_at, sequence });
    return entity as Entity<Resource>; // the table holds this kind alone
  }

  #makeSeeded(place: Place): Entity {
    const life = this.#source.make(-1 - place.sequence);
    return this.#table.create({
      ...place,
      ...life,
      key: this.#keyOf(place.id),
      owner: this.#owner,
      written: false,
    });
  }

  /** The seeded records that exist at a moment and are not gone. */
  #seededLane(now = this.#clock.now()): Lane {
    const at = (index: number): Place => this.#seededPlace(this.#source.size - 1 - this.#ageAt(index));
    const present = this.#source.size - this.#gone.length;
    return { length: findFirstIndex(present, (index) => at(index).created_at > now), at };
  }

  #writtenLane(): Lane {
    return { length: this.#written.length, at: (index) => this.#written[index] as Place }; // within its length
  }

  #seededPlace(rank: number): Place {
    const { ids, createdAt } = this.#source;
    return { id: ids.at(rank), created_at: createdAt(rank), sequence: -1 - rank };
  }

  #ageOf(rank: number): number {
    return this.#source.size - 1 - rank;
  }

  /** The age of the seeded record at this index among those that are not gone. */
  #ageAt(index: number): number {
    return index + findFirstIndex(this.#gone.length, (at) => (this.#gone[at] ?? 0) - at > index);
  }

  #indexOfGone(age: number): number {
    return findFirstIndex(this.#gone.length, (at) => (this.#gone[at] ?? 0) >= age);
  }

  #indexOfWritten(position: Position): number {
    const lane = this.#writtenLane();
    return findFirstIndex(lane.length, (at) => comparePositions(lane.at(at), position) >= 0);
  }
}

const comparePositions = (a: Position, b: Position): number =>
  a.created_at === b.created_at ? a.sequence - b.sequence : a.created_at < b.created_at ? -1 : 1;

function* walkLane(lane: Lane, from: Position | undefined, order: Order): Generator<Place, undefined> {
  const isPast = (index: number): boolean => {
    const side = from === undefined ? 0 : comparePositions(lane.at(index), from);
    return order === 'asc' ? side > 0 : side >= 0;
  };
  if (order === 'asc') {
    const first = from === undefined ? 0 : findFirstIndex(lane.length, isPast);
    for (let index = first; index < lane.length; index += 1) yield lane.at(index);
  } else {
    const end = from === undefined ? lane.length : findFirstIndex(lane.length, isPast);
    for (let index = end - 1; index >= 0; index -= 1) yield lane.at(index);
  }
}

function* mergeLanes(a: Lane, b: Lane, from: Position | undefined, order: Order): Generator<Place> {
  const [left, right] = [walkLane(a, from, order), walkLane(b, from, order)];
  let [x, y] = [left.next().value, right.next().value];
  while (x !== undefined || y !== undefined) {
    const comesFirst =
      y === undefined || (x !== undefined && comparePositions(x, y) < 0 === (order === 'asc'));
    if (x !== undefined && comesFirst) {
      yield x;
      x = left.next().value;
    } else if (y !== undefined) {
      yield y;
      y = right.next().value;
    }
  }
}

/** The last view made of each record: the same object as long as no step of its life is passed. */
const views = new WeakMap<Entity, { readonly steps: number; readonly resource: object }>();

const viewAt = <Resource extends object>(entity: Entity<Resource>, now: number): Resource => {
  const steps = countStepsUntil(entity, now);
  const known = views.get(entity);
  if (known?.steps === steps) return known.resource as Resource; // it was made of this entity
  const resource = afterSteps(entity, steps);
  views.set(entity, { steps, resource });
  return resource;
};
