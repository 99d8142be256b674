import { words } from 'virtual:shipped';
import { Faker, type Randomizer } from '@faker-js/faker';
import { hash } from './hash.ts';

/** The generator sfc32. Seeding faker's own generator costs fifty times as much, and it is seeded several times for each record. */
const createRandomizer = (): Randomizer => {
  let [a, b, c, counter] = [0, 0, 0, 1];
  const next = (): number => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return (sum >>> 0) / 0x1_0000_0000;
  };
  return {
    next,
    seed: (seed) => {
      [a = 0, b = 0, c = 0] = [seed].flat();
      counter = 1;
      for (let round = 0; round < 8; round += 1) next();
    },
  };
};

const randomizer = createRandomizer();
/** The single faker. Only the getters of models use it directly; everything else gets it from {@link fakerOf}. */
export const faker = new Faker({ locale: words, randomizer });

/**
 * Faker at the start of the stream of a key, such as the seed, kind, owner and id of a record: the values drawn depend
 * only on the key. There is a single faker, so starting a stream ends the stream before.
 */
export const fakerOf = (...key: readonly (string | number)[]): Faker => {
  const text = key.join('/');
  faker.seed([hash(text, 1), hash(text, 2), hash(text, 3)]);
  return faker;
};

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Draws an id such as `run_4Tq0…` from the stream started last. `faker.string` takes twenty times as long, too long for large lists. */
export const drawId = (prefix: string, length = 24): string => {
  let id = prefix;
  for (let at = 0; at < length; at += 1) id += letters.charAt(Math.floor(randomizer.next() * letters.length));
  return id;
};

/** Draws a uuid of version 4 from the stream started last. */
export const drawUuid = (): string => faker.string.uuid();
