/** The control room at `/__admin/`, built from `src/control-room/` by `.config/control-room.js`. */
declare module 'virtual:control-room' {
  /** Each of its files, by name: gzip, as base64. */
  export const files: Readonly<Record<string, string>>;
}
