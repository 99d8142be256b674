/** Waits in real time, or until the signal aborts. It keeps a request in memory: the signal of a collected one does not fire. */
export const wait = (milliseconds: number, request: { readonly signal: AbortSignal }): Promise<void> =>
  new Promise((resolve) => {
    if (milliseconds === 0 || request.signal.aborted) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      request.signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    request.signal.addEventListener('abort', end);
  });
