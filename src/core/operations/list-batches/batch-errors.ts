import type { Faker } from '@faker-js/faker';
import type { Batch } from './types.ts';

/** Errors about lines of a file. LINE and ENDPOINT stand for an earlier line and the endpoint of the batch. */
const lineErrors = [
  ['invalid_json_line', null, 'This line is not parseable as valid JSON.'],
  ['duplicate_custom_id', 'custom_id', 'The custom_id for this line is a duplicate of line LINE.'],
  ['missing_required_parameter', 'body.model', "Missing required parameter: 'body.model'."],
  ['invalid_url', 'url', 'The URL provided for this request does not match the batch endpoint ENDPOINT.'],
] as const;

const fileErrors = [
  ['empty_file', 'The input file is empty. Please ensure that the batch contains at least one request.'],
  [
    'token_limit_exceeded',
    'Enqueued token limit reached for this model. Limit: 2000000 enqueued tokens. Please try again once some in_progress batches have been completed.',
  ],
] as const;

/** Draws the errors of a failed batch: about lines of its file, or about the whole file. */
export const chooseErrors = (endpoint: string, faker: Faker): NonNullable<Batch['errors']>['data'] => {
  const { arrayElement, multiple } = faker.helpers;
  if (faker.datatype.boolean(0.35)) {
    const [code, message] = arrayElement(fileErrors);
    return [{ code, message, param: null, line: null }];
  }
  const [code, param, text] = arrayElement(lineErrors);
  const lines = multiple(() => faker.number.int({ min: 2, max: 400 }), { count: { min: 1, max: 3 } })
    .sort((a, b) => a - b)
    .map((line, index) => line + index);
  return lines.map((line) => {
    const message = text.replace('LINE', String(Math.max(1, line - 3))).replace('ENDPOINT', endpoint);
    return { code, message, param, line };
  });
};
