import { useEffect, useRef, useState } from 'react';
import { copyText } from './copy-text.ts';
import { encrypt } from './encrypt.ts';

/** How long the answer to an attempt stands. */
const OUTCOME_STAYS_MS = 3000;

export type Outcome = 'copied' | 'notCopied' | 'notEncrypted';

interface Encrypter {
  /** The last text that was encrypted; stays, so that it can be copied by hand. */
  result: string;
  outcome: Outcome | undefined;
  run: (text: string) => void;
}

/** Encrypts, copies and says how that went, for a while. */
export function useEncrypter(): Encrypter {
  const [result, setResult] = useState('');
  const [shown, setShown] = useState<{ outcome: Outcome }>();
  const latest = useRef(0);

  useEffect(() => {
    if (!shown) return;

    const timer = setTimeout(() => setShown(undefined), OUTCOME_STAYS_MS);
    return () => clearTimeout(timer);
  }, [shown]);

  async function run(text: string) {
    const turn = ++latest.current;
    const encrypted = tryToEncrypt(text);
    setResult(encrypted ?? '');
    const outcome = encrypted === undefined ? 'notEncrypted' : (await copyText(encrypted)) ? 'copied' : 'notCopied';
    // Of two presses the second one's answer counts.
    if (turn === latest.current) setShown({ outcome });
  }

  return { result, outcome: shown?.outcome, run: (text) => void run(text) };
}

function tryToEncrypt(text: string): string | undefined {
  try {
    return encrypt(text);
  } catch {
    return undefined;
  }
}
