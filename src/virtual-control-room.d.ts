/** The page at `/__admin/`, built from `src/control-room/` by `.config/control-room.js`. */
declare module 'virtual:control-room' {
  /** The text of each of its files. */
  export const files: Readonly<Record<string, string>>;
}
