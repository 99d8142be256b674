/** What ships with the package: made from `scenarios/` and `fixtures/` by `.config/shipped.js`. */
declare module 'virtual:shipped' {
  export const scenarios: Readonly<Record<string, unknown>>;
  /** That of the package. */
  export const version: string;
  export const prompts: Readonly<Record<string, unknown>>;
  /** Bodies of replies. */
  export const responses: Readonly<Record<string, unknown>>;
}
