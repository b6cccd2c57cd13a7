import { useEffect, useRef, useState } from 'react';
import { copyText } from '@app/design-system/copy-text';
import { encrypt } from './encrypt.ts';

/** How long the outcome of an attempt is shown. */
const OUTCOME_STAYS_MS = 3000;

export type Outcome = 'copied' | 'notCopied' | 'notEncrypted';

interface Encrypter {
  /** The last encrypted text. It stays until the script changes, so that visitors can copy it by hand. */
  result: string;
  /** The outcome of the last attempt; undefined after three seconds. */
  outcome: Outcome | undefined;
  /** Encrypts a text and copies the result. */
  run: (text: string) => void;
  copyAgain: () => void;
  /** Removes the result, because it is not of the present script. */
  forget: () => void;
}

/** Encrypts texts, copies the results to the clipboard, and keeps the outcome for three seconds. */
export function useEncrypter(): Encrypter {
  const [result, setResult] = useState('');
  const [shown, setShown] = useState<{ outcome: Outcome }>();
  const latest = useRef(0);

  useEffect(() => {
    if (!shown) return;

    const timer = setTimeout(() => setShown(undefined), OUTCOME_STAYS_MS);
    return () => clearTimeout(timer);
  }, [shown]);

  function run(text: string) {
    const encrypted = tryToEncrypt(text);
    setResult(encrypted ?? '');
    void copy(encrypted);
  }

  async function copy(encrypted: string | undefined) {
    const turn = ++latest.current;
    const outcome = encrypted === undefined ? 'notEncrypted' : (await copyText(encrypted)) ? 'copied' : 'notCopied';
    // After two quick clicks only the outcome of the second one is shown.
    if (turn === latest.current) setShown({ outcome });
  }

  return { result, outcome: shown?.outcome, run, copyAgain: () => void copy(result), forget: () => setResult('') };
}

function tryToEncrypt(text: string): string | undefined {
  try {
    return encrypt(text);
  } catch {
    return undefined;
  }
}
