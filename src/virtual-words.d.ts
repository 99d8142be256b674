/** Plausible words for seeded records: drawn from faker by `.config/words.js`. */
declare module 'virtual:words' {
  type Words = readonly [string, ...string[]];

  export const words: {
    /** Full names. */
    readonly people: Words;
    readonly companies: Words;
    readonly cities: Words;
    /** Their codes, such as `NZ`. */
    readonly countries: Words;
    /** Of a shop, such as `Garden`. */
    readonly departments: Words;
  };
}
