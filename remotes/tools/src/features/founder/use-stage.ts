import { useEffect, useState } from 'react';

/** The screens of the portfolio, in their order. */
export type Stage = 'enter' | 'transition' | 'profile';

/** How long the transition lasts. */
export const TRANSITION_MS = 4000;

/** The stage of the portfolio. Call `entered` after the click; the transition ends by itself. */
export function useStage(): { stage: Stage; entered: () => void } {
  const [stage, setStage] = useState<Stage>('enter');

  useEffect(() => {
    if (stage !== 'transition') return;

    const timer = setTimeout(() => setStage(arrive), TRANSITION_MS);
    return () => clearTimeout(timer);
  }, [stage]);

  return { stage, entered: () => setStage(enter) };
}

/** The stage after a click on the button of the first screen. A second click changes nothing. */
export function enter(stage: Stage): Stage {
  return stage === 'enter' ? 'transition' : stage;
}

/** The stage after the transition has ended. */
export function arrive(stage: Stage): Stage {
  return stage === 'transition' ? 'profile' : stage;
}
