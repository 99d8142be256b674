/** What ships with the package: made from `scenarios/` and `fixtures/` by `.config/shipped.js`. */
declare module 'virtual:shipped' {
  export const scenarios: Readonly<Record<string, unknown>>;
  /** Those that the build has checked already, each whole, as JSON: it takes 10 ms of every start. None in the sources. */
  export const checked: Readonly<Record<string, string>>;
  /** That of the package. */
  export const version: string;
  export const prompts: Readonly<Record<string, unknown>>;
  /** Bodies of replies. */
  export const responses: Readonly<Record<string, unknown>>;
}
