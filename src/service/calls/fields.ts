import type { OwnCallTools } from '../gateway/own-calls.ts';

type Body = Readonly<Record<string, unknown>>;

/** The fields that a client must send, which are texts. */
export const requireTexts = <Name extends string>(
  body: Body,
  names: readonly Name[],
  refuse: OwnCallTools['refuse'],
): Readonly<Record<Name, string>> => {
  const missing = names.find((name) => typeof body[name] !== 'string' || body[name] === '');
  if (missing !== undefined) refuse(400, `Missing required parameter: '${missing}'.`);
  return pick(body, names) as Readonly<Record<Name, string>>; // see above
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
