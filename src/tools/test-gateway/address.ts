// Apart from the watching, since `gateway-mock/jest` loads no more than this in the process of the tests.

/**
 * Adds the address of a gateway to its control. Reading it is noted: a test that takes it is expected to call the gateway.
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
  return { gateway: target as Target & Address, isTaken: () => isTaken }; // they were defined above
};
