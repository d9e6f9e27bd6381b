/** Random numbers that are the same in every run (mulberry32). */
export function random(seed: number): { below: (limit: number) => number } {
  let state = seed;
  return {
    /** An integer from 0 to `limit - 1`. */
    below: (limit) => {
      state = (state + 0x6d2b79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
      return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * limit);
    },
  };
}
