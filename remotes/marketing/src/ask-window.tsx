import { useEffect } from 'react';
import { late } from './late.tsx';

let tellItIsThere: () => void;
const isThere = new Promise<void>((resolve) => (tellItIsThere = resolve));

/** Shows what the parts of a page ask. */
export const AskWindow = late(async () => {
  const { AskHost } = await import('@app/design-system/ask');

  return function Asks() {
    useEffect(() => tellItIsThere(), []);
    return <AskHost />;
  };
});

/** Asks for a yes or no, as soon as there is a window to ask in. */
export async function askFirst(question: { title: string; text: string }): Promise<boolean> {
  const { confirm } = await import('@app/design-system/ask');
  await isThere;

  return confirm(question);
}
