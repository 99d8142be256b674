import type { Faker } from '@faker-js/faker';
import type { Amount, ExactAmount, Range, Weights } from './amount.ts';

export const draw = (faker: Faker, [min, max]: Range): number => faker.number.int({ min, max });

/** Draws one of the possible states, by their weights. */
export const drawState = <State extends string>(
  faker: Faker,
  weights: Weights<State>,
  isPossible: (state: State) => boolean = () => true,
): State => {
  const states = Object.entries(weights) as [State, number][]; // the keys are states
  const choices = states.map(([value, weight]) => ({ value, weight }));
  return faker.helpers.weightedArrayElement(choices.filter(({ value }) => isPossible(value)));
};

/** Records of one age. */
interface Band<State extends string> {
  /** The records of the band are younger than this, in seconds. */
  readonly until: number;
  /** How many seconds lie between a record and the next older record. */
  readonly gap: Range;
  readonly states: Weights<State>;
}

/** How the records of a kind are spread over time, and which states they are in. */
export interface Distribution<State extends string> {
  /** How many seconds ago the newest record was created. */
  readonly newest: Range;
  /** The youngest band first; the last band has no upper age. */
  readonly bands: readonly [Band<State>, ...Band<State>[]];
  /** How many records in a hundred have the same `created_at` as the next newer record. */
  readonly tied: number;
  /** For exact amounts: the states that a record leaves within its lifetime, and the greatest age of such records in seconds. */
  readonly young: { readonly states: readonly State[]; readonly within: number };
}

/** The id, state and age of a record to seed. */
interface SeedPlan<State extends string> {
  readonly id: string;
  readonly state: State;
  /** Its age at the scenario's start, in seconds. */
  readonly age: number;
}

/**
 * Plans the records of one list, newest first.
 *
 * @param fakerFor returns a faker at the start of the stream for this purpose
 * @param newId draws an id from the stream started last, so that a further old record changes no other id
 */
export const distribute = <State extends string>(
  distribution: Distribution<State>,
  amount: Amount<State>,
  tieSize: number | undefined,
  fakerFor: (purpose: 'states' | 'places') => Faker,
  newId: () => string,
): SeedPlan<State>[] => {
  const { newest, bands, tied, young } = distribution;
  const bandAt = (age: number) => bands.find(({ until }) => age < until) ?? bands[0];
  const exact = typeof amount === 'number' ? undefined : orderOf(amount, young.states, fakerFor('states'));
  const youngCount = exact?.filter((state) => young.states.includes(state)).length ?? 0;
  const size = typeof amount === 'number' ? amount : (exact?.length ?? 0);

  const plans: SeedPlan<State>[] = [];
  const faker = fakerFor('places');
  let age = youngCount === 0 && exact !== undefined ? ageOfEnded(distribution) : draw(faker, newest);
  for (let index = 0; index < size; index += 1) {
    const isTied = tieSize === undefined ? faker.number.int(99) < tied : index % tieSize !== 0;
    if (index > 0 && !isTied)
      age += draw(faker, index < youngCount ? [0, Math.floor(young.within / youngCount)] : bandAt(age).gap);
    // The records after the young records are old enough to have ended.
    if (index >= youngCount && exact !== undefined) age = Math.max(age, ageOfEnded(distribution));
    const state = exact?.[index] ?? drawState(faker, bandAt(age).states);
    plans.push({ id: newId(), state, age });
  }
  return plans;
};

/** The age at which all records have ended, in seconds. */
const ageOfEnded = <State extends string>({ bands }: Distribution<State>): number => bands.at(-2)?.until ?? 0;

/** Each state as often as the amount asks for, in a seeded order: the states of young records first. */
const orderOf = <State extends string>(
  amount: ExactAmount<State>,
  young: readonly State[],
  faker: Faker,
): State[] => {
  const states = (Object.entries(amount) as [State, number | undefined][]).flatMap(([state, times = 0]) =>
    Array<State>(times).fill(state),
  );
  const isYoung = (state: State): boolean => young.includes(state);
  return [
    ...faker.helpers.shuffle(states.filter(isYoung)),
    ...faker.helpers.shuffle(states.filter((state) => !isYoung(state))),
  ];
};
