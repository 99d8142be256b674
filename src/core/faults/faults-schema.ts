import * as z from 'zod';
import { limits } from '../util/limits.ts';
import { messageOf } from '../util/message-of.ts';
import { dateTimeSchema } from '../world/world-schema.ts';
import { parseRule } from './rule.ts';

/** YAML reads a line without quotes, `listRuns: 503`, as a mapping with one key: this returns the line. Other values are returned as they are. */
export const repairLine = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || 'fault' in value) return value;
  const [entry, ...more] = Object.entries(value);
  const isLine = more.length === 0 && ['string', 'number'].includes(typeof entry?.[1]);
  return isLine ? `${entry?.[0]}: ${String(entry?.[1])}` : value;
};

export const faultsSchema = z.lazy(() => {
  const count = z.int().min(0).default(0);
  const line = z
    .string()
    .superRefine((text, context) => {
      try {
        parseRule(text);
      } catch (error) {
        context.addIssue({ code: 'custom', message: messageOf(error) });
      }
    })
    .describe('OPERATION[#CALLS] [CONDITION…]: KIND [OPTION…], such as "listRuns#3: reset".');
  return z
    .array(
      z.preprocess(
        repairLine,
        z.union([
          line,
          z.strictObject({
            fault: line.describe('Its line, as it was added.'),
            id: z
              .string()
              .regex(/^fault_\d{1,9}$/, 'not the id of a fault, such as fault_2')
              .exactOptional()
              .describe('Its id, which rises from fault to fault. Default: the next one, from fault_1 on.'),
            began: dateTimeSchema()
              .exactOptional()
              .describe('When its duration (for=) began. Default: the time of the clock.'),
            calls: count.describe('How many calls have matched so far.'),
            hits: count.describe('How many of them the fault has hit.'),
            passed: z
              .int()
              .min(0)
              .exactOptional()
              .describe('How many it let pass only because of its share.'),
            idle: z.string().exactOptional().describe('Why it could not act on a call: the latest reason.'),
            off: z.boolean().exactOptional().describe('Whether it is switched off.'),
          }),
        ]),
      ),
    )
    .max(limits.faults)
    .default([])
    .describe('The faults, each with the calls that it affects.');
});

/** A fault as scenarios and stored states have it: its line, or its line with its counts so far. */
export type FaultState = z.output<typeof faultsSchema>[number];

/** A fault with its counts so far. */
export type CountedFault = Exclude<FaultState, string>;
