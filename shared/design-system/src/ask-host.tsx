import { useEffect, useState, type ComponentType } from 'react';
import { hostAsks, type Ask } from './ask-request.ts';
import type { AskWindowProps } from './ask-window.tsx';

/**
 * Shows the questions of `confirm` and `alert`, whichever unit asks, one after the other. A page has one, and the shell
 * brings it; the code of the window comes with the first question. Where it cannot be had, the answer is no.
 */
export function AskHost() {
  const [shown, setShown] = useState<{ AskWindow: ComponentType<AskWindowProps> }>();
  const [waiting, setWaiting] = useState<readonly Ask[]>([]);
  const [answered, setAnswered] = useState(0);
  const [first] = waiting;

  useEffect(
    () =>
      hostAsks(window, (ask) => {
        import(/* webpackChunkName: "ask-window" */ './ask-window.tsx').then(
          (arrived) => {
            setShown(arrived);
            setWaiting((others) => [...others, ask]);
          },
          () => ask.answer(false),
        );
      }),
    [],
  );

  function answer(agreed: boolean) {
    first?.answer(agreed);
    setWaiting((asks) => asks.filter((one) => one !== first));
    setAnswered((count) => count + 1);
  }

  // The next question is another window: it takes the focus anew.
  return shown && first && <shown.AskWindow key={answered} ask={first} onAnswer={answer} />;
}
