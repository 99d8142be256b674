/** The first index below `length` for which `isPast` is true, or `length` if there is none. Binary search: once true, it must stay true. */
export const findFirstIndex = (length: number, isPast: (index: number) => boolean): number => {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isPast(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
};
