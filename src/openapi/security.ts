/** Which keys an operation needs. The second alternative is that of missing-virtual-key: ignored. */
export const toSecurity = (virtualKey: boolean): object[] =>
  virtualKey ? [{ apiKey: [], virtualKey: [] }, { apiKey: [] }] : [{ apiKey: [] }];
