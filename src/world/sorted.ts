/** The first index in [0, length) for which `isPast` holds, `length` where it holds for none; it must stay true once true. */
export const findFirstIndex = (length: number, isPast: (index: number) => boolean): number => {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isPast(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
};
