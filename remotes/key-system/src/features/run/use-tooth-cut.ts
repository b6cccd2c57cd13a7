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
    if (done !== undefined) inStorage((storage) => storage.setItem(name, String(done)));
  }, [name, done]);

  return cut !== undefined && cut === done;
}

function readSeen(name: string): number | undefined {
  const seen = inStorage((storage) => storage.getItem(name));
  return seen ? Number(seen) : undefined;
}

/** The server has no storage, and some browsers forbid it. Nothing is animated there. */
function inStorage<Result>(work: (storage: Storage) => Result): Result | undefined {
  try {
    return work(sessionStorage);
  } catch {
    return undefined;
  }
}
