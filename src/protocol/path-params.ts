import { truncate } from '../util/truncate.ts';
import { refuse } from './errors.ts';

type Params = Readonly<Record<string, string>>;

/** Decodes path parameters. @throws GatewayError 400 if one has invalid percent-encoding */
export const decodeParams = (params: Params): Record<string, string> =>
  mapValues(
    params,
    (value, name) =>
      tryDecode(value) ??
      refuse('path-encoding', {
        status: 400,
        message: `Invalid '${name}': '${truncate(value)}' has invalid percent-encoding.`,
        param: name,
      }),
  );

/** Decodes path parameters for the journal. Those with invalid percent-encoding stay as they were sent. */
export const decodeWherePossible = (params: Params): Record<string, string> =>
  mapValues(params, (value) => tryDecode(value) ?? value);

const tryDecode = (text: string): string | undefined => {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};

const mapValues = (
  params: Params,
  change: (value: string, name: string) => string,
): Record<string, string> => {
  const changed: Record<string, string> = {};
  for (const name in params) changed[name] = change(params[name] ?? '', name);
  return changed;
};
