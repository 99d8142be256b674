import type { AssumptionChoices } from '../protocol/assumptions.ts';
import type { Documentation, PathParamDocs } from '../protocol/operation-docs.ts';
import type { Documented } from './cases.ts';
import { fieldSchemas } from './schemas.ts';

const betaHeader = (choices: AssumptionChoices) => ({
  name: 'Vendor-Beta',
  in: 'header',
  required: choices['beta-header'] === 'required',
  description:
    'Sent with the run-list request (contract: Versioning). The vendor name is neutral here; OpenAI-Beta is also accepted. The contract does not state whether it is required.',
  'x-assumptions': ['beta-header'],
  schema: { type: 'string', const: 'assistants=v2' },
});

/** Whether a parameter has bounds because of the value of an assumption. */
export const isBounded = (words: Documentation | undefined, choices: AssumptionChoices): boolean =>
  choices['checkpoint-limit-bounds'] === '1-to-100' &&
  words?.['x-assumptions']?.includes('checkpoint-limit-bounds') === true;

/**
 * The parameters of an operation: those of its path and query, and the beta header if the contract has it.
 *
 * @param choices the assumptions that differ from their defaults
 */
export const toParameters = (
  { contract, docs, example }: Documented,
  choices: AssumptionChoices,
): object[] => [
  ...Object.entries(fieldSchemas(contract.params)).map(([name, schema]) => {
    const words: Partial<PathParamDocs> = docs.params[name] ?? {};
    const { kind: _, where: __, format, ...rest } = words;
    return {
      name,
      in: 'path',
      required: true,
      ...rest,
      schema: format === undefined ? schema : { ...schema, format },
      example: example.params[name],
    };
  }),
  ...Object.entries(fieldSchemas(contract.query)).map(([name, schema]) => {
    const words: Documentation | undefined = docs.query[name];
    const bounds = isBounded(words, choices) && { minimum: 1, maximum: 100 };
    return { name, in: 'query', ...words, schema: { ...schema, ...bounds } };
  }),
  ...(contract.betaHeader ? [betaHeader(choices)] : []),
];
