import { useEffect, useRef, useState } from 'react';
import { isOverBy } from './link-errors.ts';

export interface Confirm {
  isSending: boolean;
  /** Why the last try failed; undefined when none has. */
  error: unknown;
  confirm: () => void;
}

interface ConfirmOptions<Done> {
  /** One try. It rejects when the try failed. */
  send: () => Promise<Done>;
  /** Gets the answer, unless the visitor has left the page. */
  onDone: (done: Done) => void;
  /** Called when the link has been used or has ended. */
  onOver: () => void;
}

/** Sends what the visitor has agreed to. */
export function useConfirm<Done>({ send, onDone, onOver }: ConfirmOptions<Done>): Confirm {
  const [state, setState] = useState<{ isSending: boolean; error?: unknown }>({ isSending: false });
  const isShown = useRef(true);

  useEffect(() => {
    isShown.current = true;
    return () => void (isShown.current = false);
  }, []);

  async function confirm() {
    setState({ isSending: true });
    try {
      const done = await send();
      if (isShown.current) onDone(done);
    } catch (error) {
      if (isOverBy(error)) onOver();
      else setState({ isSending: false, error });
    }
  }

  return { isSending: state.isSending, error: state.error, confirm: () => void confirm() };
}
