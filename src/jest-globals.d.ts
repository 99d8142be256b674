/** The parts of Jest that `gateway-mock/jest` uses. Jest is not installed here. Jest provides the module in every test file. */
declare module '@jest/globals' {
  type Hook = (hook: () => void | Promise<void>) => void;
  export const afterAll: Hook;
  export const beforeEach: Hook;
  export const afterEach: Hook;
  export const expect: {
    readonly getState: () => {
      readonly assertionCalls: number;
      readonly numPassingAsserts: number;
      readonly currentTestName?: string;
      /** Whether the test is one of `test.failing`; since Jest 30. */
      readonly testFailing?: boolean;
    };
  };
}
