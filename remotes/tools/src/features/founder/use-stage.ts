import { useEffect, useState } from 'react';
import { arrive, enter, TRANSITION_MS, type Stage } from './stage.ts';

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
