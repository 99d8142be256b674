import type { Control } from './control.ts';

/** A control with one method for each command, by its name: `clock.advance` becomes `control.clock.advance`. */
export const makeControl = <Named extends { readonly name: string }>(
  named: readonly Named[],
  toMethod: (command: Named) => (...args: unknown[]) => Promise<unknown>,
): Control => {
  const control: Record<string, unknown> = {};
  for (const command of named) {
    const parts = command.name.split('.');
    let part = control;
    for (const name of parts.slice(0, -1)) {
      part[name] ??= {};
      part = part[name] as Record<string, unknown>; // a group of commands, made above
    }
    part[parts.at(-1) ?? ''] = toMethod(command);
  }
  return control as unknown as Control; // the names are those of the tree of commands
};
