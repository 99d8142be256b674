/** Whether a host name, in the form of URLs, is a name or an address of this machine. */
export const isLoopback = (hostname: string): boolean =>
  /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
