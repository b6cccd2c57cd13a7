/** How far a visitor has come: in front of the door, on the way through it, inside. */
export type Stage = 'enter' | 'transition' | 'profile';

export const TRANSITION_MS = 4000;

/** The door opens once; a second click on the way changes nothing. */
export function enter(stage: Stage): Stage {
  return stage === 'enter' ? 'transition' : stage;
}

export function arrive(stage: Stage): Stage {
  return stage === 'transition' ? 'profile' : stage;
}
