/** How long the refusal of a wrong token takes, in milliseconds. */
const delay = 500;

/** How many refusals may be under way. */
const maxWaiting = 100;

/**
 * Slows down who guesses the token: each refusal is sent late, and at most 100 are under way, so that a server refuses at most
 * 200 tokens a second. Beyond that, guesses end without a reply. Calls with the right token never wait for any of this.
 */
export const createGuessDelay = () => {
  let waiting = 0;
  return (refuse: () => void, drop: () => void): void => {
    if (waiting >= maxWaiting) {
      drop();
      return;
    }
    waiting += 1;
    setTimeout(() => {
      waiting -= 1; // only now, even if the client has left
      refuse();
    }, delay);
  };
};
