import { type Call, flattenHeaders } from '../protocol/call.ts';
import { type IsCredential, Mask } from '../util/mask.ts';

/** The query of a call with its credentials masked, and a function that masks them in other texts about the call. */
export const maskCall = (
  { query, headers }: Pick<Call, 'query' | 'headers'>,
  isCredential?: IsCredential,
): { readonly query: string; readonly hide: (text: string) => string } => {
  const mask = new Mask(isCredential);
  mask.headers(flattenHeaders(headers()));
  const masked = mask.form(query);
  const hide = mask.createHide();
  return { query: hide(masked), hide };
};
