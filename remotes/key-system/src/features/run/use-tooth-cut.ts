import type { AppId } from '@app/contracts/key-system';
import { useEffect, useState } from 'react';

/**
 * Whether the last completed step came since this tab saw the run last. A page that is opened for the first time, or
 * reloaded, has nothing new to show.
 * @param done how many steps are completed; undefined until the server has answered
 */
export function useToothCut(app: AppId, done: number | undefined): boolean {
  const name = `run-key-${app}`;
  const [seen, setSeen] = useState(() => readSeen(name));
  const [cut, setCut] = useState<number>();

  if (done !== undefined && done !== seen) {
    setSeen(done);
    setCut(seen !== undefined && seen < done ? done : undefined);
  }

  useEffect(() => {
    if (done !== undefined) writeSeen(name, done);
  }, [name, done]);

  return cut !== undefined && cut === done;
}

// The server has no storage, and some browsers forbid it. Nothing is animated there.
function readSeen(name: string): number | undefined {
  try {
    const seen = sessionStorage.getItem(name);
    return seen === null ? undefined : Number(seen);
  } catch {
    return undefined;
  }
}

function writeSeen(name: string, done: number): void {
  try {
    sessionStorage.setItem(name, String(done));
  } catch {
    // See above.
  }
}
