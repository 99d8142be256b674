/** The files that ship with the package, built by `.config/shipped.js`. */
declare module 'virtual:shipped' {
  export const scenarios: Readonly<Record<string, unknown>>;
  /** The scenarios that the build has checked, complete, as JSON, which saves 10 ms at each start. Empty before the build. */
  export const checked: Readonly<Record<string, string>>;
  /** The version of the package. */
  export const version: string;
  export const prompts: Readonly<Record<string, unknown>>;
  /** The part of faker's locale that the seeds draw from. */
  export const words: import('@faker-js/faker').LocaleDefinition;
}
