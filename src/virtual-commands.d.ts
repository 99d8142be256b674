/** How each command is called, without the schemas: made from `src/control/commands/` by `.config/commands.js`. */
declare module 'virtual:commands' {
  export const shapes: readonly import('./control/input.ts').CommandShape[];
}
