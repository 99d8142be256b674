import { base, en, Faker, type Randomizer } from '@faker-js/faker';
import { hash } from './hash.ts';

/** The generator sfc32. Faker's own one costs fifty times as much to seed, and each record is seeded anew. */
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
const faker = new Faker({ locale: [en, base], randomizer });

/**
 * Faker at the start of the stream that belongs to a key, such as seed, kind, owner and id of a record: what is drawn
 * depends on the key alone. There is one faker for all, so a stream ends where the next one is started.
 */
export const fakerOf = (...key: readonly (string | number)[]): Faker => {
  const text = key.join('/');
  faker.seed([hash(text, 1), hash(text, 2), hash(text, 3)]);
  return faker;
};

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** An id such as `run_4Tq0…`, by the stream that was started last. `faker.string` takes twenty times as long, and large lists are made of these. */
export const drawId = (prefix: string, length = 24): string => {
  let id = prefix;
  for (let at = 0; at < length; at += 1) id += letters.charAt(Math.floor(randomizer.next() * letters.length));
  return id;
};

/** A uuid of version 4, by the stream that was started last. */
export const drawUuid = (): string => faker.string.uuid();
