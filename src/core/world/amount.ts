import * as z from 'zod';
import { limits } from '../util/limits.ts';

/** How many records to seed: a total, whose states follow a natural distribution, or an exact number for each state. */
export type Amount<State extends string> = number | ExactAmount<State>;

/** An exact number of records for each state; states that are left out have none. */
export type ExactAmount<State extends string> = { readonly [Name in State]?: number | undefined };

/** The scenario schema of a number of records. */
export const countSchema = z.int().min(0).max(limits.records);

/** The scenario schema of an {@link Amount}. */
export const amountOf = <const States extends readonly [string, ...string[]]>(states: States) =>
  z.union([
    countSchema,
    z.strictObject(Object.fromEntries(states.map((state) => [state, countSchema.exactOptional()]))),
  ]) as z.ZodType<Amount<States[number]>, Amount<States[number]>>; // its keys are the states

/** How many adjacent records share one `created_at`. If undefined, a natural pattern. */
export const tiesSchema = z.int().min(1).max(limits.records).exactOptional();

/** How likely each state is to be drawn, relative to the others. */
export type Weights<State extends string> = { readonly [Name in State]?: number };

/** Both ends are included. */
export type Range = readonly [min: number, max: number];
