import type { Faker } from '@faker-js/faker';
import type { Batch } from './types.ts';

const lineErrors = [
  { code: 'invalid_json_line', param: null, message: () => 'This line is not parseable as valid JSON.' },
  {
    code: 'duplicate_custom_id',
    param: 'custom_id',
    message: (line: number) => `The custom_id for this line is a duplicate of line ${Math.max(1, line - 3)}.`,
  },
  {
    code: 'missing_required_parameter',
    param: 'body.model',
    message: () => "Missing required parameter: 'body.model'.",
  },
  {
    code: 'invalid_url',
    param: 'url',
    message: (_line: number, endpoint: string) =>
      `The URL provided for this request does not match the batch endpoint ${endpoint}.`,
  },
] as const;

const fileErrors = [
  {
    code: 'empty_file',
    message: 'The input file is empty. Please ensure that the batch contains at least one request.',
  },
  {
    code: 'token_limit_exceeded',
    message:
      'Enqueued token limit reached for this model. Limit: 2000000 enqueued tokens. Please try again once some in_progress batches have been completed.',
  },
] as const;

/** Draws the errors of a failed batch: about lines of its file, or about the whole file. */
export const chooseErrors = (endpoint: string, faker: Faker): NonNullable<Batch['errors']>['data'] => {
  const { arrayElement, multiple } = faker.helpers;
  if (faker.datatype.boolean(0.35)) return [{ ...arrayElement(fileErrors), param: null, line: null }];
  const { code, message, param } = arrayElement(lineErrors);
  const lines = multiple(() => faker.number.int({ min: 2, max: 400 }), { count: { min: 1, max: 3 } })
    .sort((a, b) => a - b)
    .map((line, index) => line + index);
  return lines.map((line) => ({ code, message: message(line, endpoint), param, line }));
};
