/** Waits in real time, or until the signal aborts. It keeps a reference to the request, because the signal of a garbage-collected request never fires. */
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
