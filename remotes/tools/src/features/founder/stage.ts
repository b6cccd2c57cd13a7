/** The screens of the portfolio, in their order. */
export type Stage = 'enter' | 'transition' | 'profile';

/** How long the transition lasts. */
export const TRANSITION_MS = 4000;

/** The stage after a click on the button of the first screen. A second click changes nothing. */
export function enter(stage: Stage): Stage {
  return stage === 'enter' ? 'transition' : stage;
}

/** The stage after the transition has ended. */
export function arrive(stage: Stage): Stage {
  return stage === 'transition' ? 'profile' : stage;
}
