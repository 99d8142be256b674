/** Returns the same value at each call, made at the first one. */
export const once = <Value extends object>(make: () => Value): (() => Value) => {
  let value: Value | undefined;
  return () => (value ??= make());
};
