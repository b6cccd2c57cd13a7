import { useEffect, useState } from 'react';
import { ask, hostAsks, type Ask, type Question } from './ask-request.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

/** Asks for a yes or no. Escape and Cancel are a no. */
export function confirm({ ok = 'OK', cancel = 'Cancel', ...words }: Pick<Question, 'title' | 'text'> & Partial<Question>): Promise<boolean> {
  return ask({ ...words, ok, cancel }, window);
}

/** Says something that must be read before going on. */
export async function alert({ ok = 'OK', ...words }: { title: string; text: string; ok?: string }): Promise<void> {
  await ask({ ...words, ok }, window);
}

/** Shows the questions of `confirm` and `alert`, whichever unit asks, one after the other. The shell has the one of a page. */
export function AskHost() {
  const [waiting, setWaiting] = useState<readonly Ask[]>([]);
  const [answered, setAnswered] = useState(0);
  const [first] = waiting;

  useEffect(() => hostAsks(window, (asked) => setWaiting((others) => [...others, asked])), []);

  if (!first) return null;

  function answer(agreed: boolean) {
    first?.answer(agreed);
    setWaiting((asks) => asks.filter((one) => one !== first));
    setAnswered((count) => count + 1);
  }

  return (
    <Dialog
      // The next question is another window: it takes the focus anew.
      key={answered}
      isOpen
      role="alertdialog"
      title={first.title}
      onClose={() => answer(false)}
      actions={
        <>
          <Button onClick={() => answer(true)}>{first.ok}</Button>
          {first.cancel && (
            <Button kind="quiet" onClick={() => answer(false)}>
              {first.cancel}
            </Button>
          )}
        </>
      }
    >
      <p>{first.text}</p>
    </Dialog>
  );
}
