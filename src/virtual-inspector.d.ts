/** The page at `/__admin/`, built from `src/inspector/` by `.config/inspector.js`. */
declare module 'virtual:inspector' {
  /** The text of each of its files. */
  export const files: Readonly<Record<string, string>>;
}
