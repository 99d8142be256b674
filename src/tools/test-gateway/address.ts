// A module of its own, since `gateway-mock/jest` loads nothing else in the process of the tests.

/**
 * Adds the address of a gateway to its control. Reading the address counts as taking the gateway: the test is then expected to call it.
 */
export const withAddress = <Target extends object, Address extends object>(
  target: Target,
  address: Address,
) => {
  let isTaken = false;
  for (const [name, value] of Object.entries(address))
    Object.defineProperty(target, name, {
      enumerable: true,
      configurable: true,
      get: () => {
        isTaken = true;
        return value;
      },
    });
  return { gateway: target as Target & Address, isTaken: () => isTaken }; // the properties defined above
};
