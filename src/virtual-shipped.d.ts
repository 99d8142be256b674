/** What ships with the package: made from `scenarios/` and `fixtures/` by `.config/shipped.js`. */
declare module 'virtual:shipped' {
  export const scenarios: Readonly<Record<string, unknown>>;
  export const prompts: Readonly<Record<string, unknown>>;
}
