import type { Faker } from '@faker-js/faker';
import type { Batch } from './contract.ts';

const lineErrors = [
  (line: number) => ({
    code: 'invalid_json_line',
    message: 'This line is not parseable as valid JSON.',
    param: null,
    line,
  }),
  (line: number) => ({
    code: 'duplicate_custom_id',
    message: `The custom_id for this line is a duplicate of line ${Math.max(1, line - 3)}.`,
    param: 'custom_id',
    line,
  }),
  (line: number) => ({
    code: 'missing_required_parameter',
    message: "Missing required parameter: 'body.model'.",
    param: 'body.model',
    line,
  }),
  (line: number, endpoint: string) => ({
    code: 'invalid_url',
    message: `The URL provided for this request does not match the batch endpoint ${endpoint}.`,
    param: 'url',
    line,
  }),
] as const;

const fileErrors = [
  {
    code: 'empty_file',
    message: 'The input file is empty. Please ensure that the batch contains at least one request.',
    param: null,
    line: null,
  },
  {
    code: 'token_limit_exceeded',
    message:
      'Enqueued token limit reached for this model. Limit: 2000000 enqueued tokens. Please try again once some in_progress batches have been completed.',
    param: null,
    line: null,
  },
] as const;

/** Draws the errors of a failed batch: about lines of its file, or about the whole file. */
export const chooseErrors = (endpoint: string, faker: Faker): NonNullable<Batch['errors']>['data'] => {
  if (faker.datatype.boolean(0.35)) return [faker.helpers.arrayElement(fileErrors)];
  const describe = faker.helpers.arrayElement(lineErrors);
  const lines = faker.helpers.multiple(() => faker.number.int({ min: 2, max: 400 }), {
    count: { min: 1, max: 3 },
  });
  return lines.sort((a, b) => a - b).map((line, index) => describe(line + index, endpoint));
};
