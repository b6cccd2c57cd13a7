/**
 * The faults that QA can simulate for a unit: its files cannot be had, come after a long wait, come broken, or its page
 * throws while it renders. `offline` and `slow` hit all versions of the unit, `corrupt` and `crashing` only the one that
 * was chosen.
 */
export const FAULTS = ['offline', 'slow', 'corrupt', 'crashing'] as const;
export type Fault = (typeof FAULTS)[number];
