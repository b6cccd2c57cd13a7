import { fetchJson, postJson } from '@app/platform';
import { useRef, useState } from 'react';

/** What a buyer is asked after the payment. */
export interface Choices {
  /** Whether the buyer's name may pass by as a toast. */
  showsName: boolean;
  /** Whether a mail before the end of the plan is wanted. */
  wantsReminder: boolean;
}

export type Saving = 'idle' | 'saving' | 'saved' | 'failed';

/**
 * Keeps the choices of a buyer, and saves each change at once, one after the other. When one cannot be saved, the
 * choices that the server has are shown again.
 * @param ref the reference of the order
 * @param first what the server has
 */
export function useChoices(ref: string, first: Choices) {
  const [choices, setChoices] = useState(first);
  const [saving, setSaving] = useState<Saving>('idle');
  const saved = useRef(first);
  const last = useRef<Promise<void>>(Promise.resolve());

  async function save(next: Choices) {
    await fetchJson('/api/order-consent', postJson({ ref, ...next }));
    saved.current = next;
  }

  function choose(change: Partial<Choices>) {
    const next = { ...choices, ...change };
    setChoices(next);
    setSaving('saving');

    const mine = (last.current = last.current.then(() => save(next)).catch(() => undefined));
    void mine.then(() => {
      if (last.current !== mine) return;
      setSaving(saved.current === next ? 'saved' : 'failed');
      setChoices(saved.current);
    });
  }

  return { choices, saving, choose };
}
