import { primaryKey } from '@mswjs/data';
import { noValue } from '../../world/database.ts';

/** The model of stored prompts: one template, or several versions of it. They come from the scenario, so nothing is drawn. */
export const promptModel = {
  id: primaryKey(String),
  description: noValue<string>(),
  parameters: noValue<object>(),
  messages: noValue<readonly object[]>(),
  string: noValue<string>(),
  published: noValue<number>(),
  versions: noValue<readonly object[]>(),
};
