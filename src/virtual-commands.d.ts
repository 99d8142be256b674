/** How each command and each operation is called, without the schemas: made by `.config/commands.js`. */
declare module 'virtual:commands' {
  export const shapes: readonly import('./control/input.ts').CommandShape[];
  export const operations: readonly import('./protocol/router.ts').Routed[];
}
