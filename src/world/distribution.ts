import type { Faker } from '@faker-js/faker';
import type { Amount, ExactAmount, Weights } from './amount.ts';

/** The same as faker takes it. */
export const choicesOf = <State extends string>(weights: Weights<State>) =>
  (Object.entries(weights) as [State, number][]).map(([value, weight]) => ({ value, weight })); // the keys are states

/** Records of one age. */
export interface Band<State extends string> {
  /** Records that are younger than this, in seconds, are of this band. */
  readonly until: number;
  /** How many seconds before each the next older one was created. */
  readonly gap: { readonly min: number; readonly max: number };
  /** In which states they are, and how often. */
  readonly states: Weights<State>;
}

/** How the records of a kind lie in time, and in which states they are. */
export interface Distribution<State extends string> {
  /** How many seconds ago the newest record was created. */
  readonly newest: { readonly min: number; readonly max: number };
  /** The youngest first; the last one has no end. */
  readonly bands: readonly [Band<State>, ...Band<State>[]];
  /** How many of ten records were created in the same second as the next newer one. */
  readonly tied: number;
  /** Where exact numbers are asked for: the states that a record leaves within its lifetime, all created that many seconds ago at the most. */
  readonly young: { readonly states: readonly State[]; readonly within: number };
}

/** A record to be seeded. */
export interface SeedPlan<State extends string> {
  readonly id: string;
  readonly state: State;
  /** How many seconds before the scenario's start it was created. */
  readonly age: number;
}

/**
 * Where the records of one collection lie in time, and in which states they are, newest first.
 *
 * @param fakerFor a faker at the start of a stream for this purpose
 * @param newId a new id, by the stream that was started last: so one more record at the old end changes no other id
 */
export const distribute = <State extends string>(
  distribution: Distribution<State>,
  amount: Amount<State>,
  tieSize: number | undefined,
  fakerFor: (purpose: 'states' | 'places') => Faker,
  newId: () => string,
): SeedPlan<State>[] => {
  const { newest, tied, young } = distribution;
  const [first, ...others] = distribution.bands;
  const withChoices = (band: Band<State>) => ({ ...band, choices: choicesOf(band.states) });
  const bands = [withChoices(first), ...others.map(withChoices)] as const;
  const bandAt = (age: number) => bands.find(({ until }) => age < until) ?? bands[0];
  const exact = typeof amount === 'number' ? undefined : orderOf(amount, young.states, fakerFor('states'));
  const youngCount = exact?.filter((state) => young.states.includes(state)).length ?? 0;
  const size = typeof amount === 'number' ? amount : (exact?.length ?? 0);

  const plans: SeedPlan<State>[] = [];
  const faker = fakerFor('places');
  let age = youngCount === 0 && exact !== undefined ? lifespanOf(distribution) : faker.number.int(newest);
  for (let index = 0; index < size; index += 1) {
    const isTied = tieSize === undefined ? faker.number.int(9) < tied : index % tieSize !== 0;
    if (index > 0 && !isTied) {
      const gap =
        index < youngCount ? { min: 0, max: Math.floor(young.within / youngCount) } : bandAt(age).gap;
      age += faker.number.int(gap);
    }
    // Behind the young ones come those that have had the time to end.
    if (index >= youngCount && exact !== undefined) age = Math.max(age, lifespanOf(distribution));
    const state = exact?.[index] ?? faker.helpers.weightedArrayElement(bandAt(age).choices);
    plans.push({ id: newId(), state, age });
  }
  return plans;
};

/** From which age on all records have ended. */
const lifespanOf = <State extends string>({ bands }: Distribution<State>): number => bands.at(-2)?.until ?? 0;

/** The states as often as they are asked for, in a seeded order: first those of young records, then the others. */
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
