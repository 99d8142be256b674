import { fakerOf } from './faker.ts';
import type { Kind, Resource } from './kind.ts';
import type { World } from './world.ts';

/** The id of the next record of a kind that a user creates. Ids that are in use are skipped. */
export const nextId = (world: World, kind: Kind, owner: string): string => {
  const at = (made: number): string => {
    fakerOf(world.seeding.seed, 'made', kind.name, owner, made + 1);
    return kind.newId();
  };
  while (world.find(kind, at(world.made())) !== undefined) world.countMade();
  return at(world.made());
};

/** Completes the given fields to a record created now. It does not write the record. */
export const completeRecord = <Value extends Resource>(
  world: World,
  kind: Kind<Value>,
  owner: string,
  given: Partial<Value> & Resource,
): Value =>
  kind.complete(given, {
    ...world.seeding,
    id: given.id,
    owner,
    others: () => world.collection(kind, owner)?.all() ?? [],
    now: Math.floor(world.clock.now()),
  });
