import type { OwnCallTools } from '../gateway/own-calls.ts';

type Body = Readonly<Record<string, unknown>>;

/** A field that a client must send. */
export const requireText = (body: Body, name: string, refuse: OwnCallTools['refuse']): string => {
  const { [name]: value } = body;
  return typeof value === 'string' && value !== ''
    ? value
    : refuse(400, `Missing required parameter: '${name}'.`);
};

/**
 * The fields that a client has sent: the seed fills in the others. Objects where the contract has a text, such as a
 * `response_format`, are left out.
 */
export const pick = (body: Body, names: readonly string[]): Body =>
  Object.fromEntries(
    names.flatMap((name) => {
      const { [name]: value } = body;
      const isLeftOut = value == null || (textFields.includes(name) && typeof value !== 'string');
      return isLeftOut ? [] : [[name, value]];
    }),
  );

const textFields = ['tool_choice', 'response_format'];
