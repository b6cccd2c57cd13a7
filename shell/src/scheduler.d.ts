/** What React's scheduler gives. It has no types of its own. */
declare module 'scheduler' {
  /** Sets how often React lets the browser paint while it works, in times a second; 0: every 5 ms. */
  export function unstable_forceFrameRate(fps: number): void;
}
