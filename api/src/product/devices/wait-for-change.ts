import type { AppId } from '@app/contracts/key-system';
import type { Request, Response } from 'express';
import { commits } from '#api/foundation/audit/transact.ts';
import { noteHold } from '#api/foundation/http/observe-requests.ts';
import type { ServerLoad } from '#api/foundation/http/shed-load.ts';
import type { Site } from '#api/foundation/module.ts';
import type { ClientIdentity } from '#api/foundation/visitors/client-identity.ts';
import { createDevicesRepository } from './devices.repository.ts';
import type { Limits } from '#api/product/limits/limits.ts';

const MAX_WAIT_S = 25;

/** Other servers and operators' commands change devices as well. Up to a fifth sooner by chance, so that what came together is not read together. */
const RECHECK_MS = 5000;

interface Asked<Answer> {
  app: AppId;
  hwid: string;
  by: ClientIdentity;
  read: () => Promise<Answer>;
  /** Whether there is nothing to say yet, so that a change is worth waiting for. */
  isAwaiting: (answer: Answer) => boolean;
}

interface HeldRequest {
  network: string;
  /** Has the request read again. */
  wake: () => void;
}

interface WaitForChangeDeps extends Pick<Site, 'db' | 'pseudonyms' | 'stopping'> {
  limits: { heldRequests: number; perAddress: Pick<Limits['perAddress'], 'heldRequests'> };
  load: Pick<ServerLoad, 'isCrowded'>;
}

export type WaitForChange = ReturnType<typeof createWaitForChange>;

/**
 * Makes the function that reads an answer about a device and, where its request has `Prefer: wait` (RFC 7240) and there is
 * room, holds it until the answer changes. `Preference-Applied` says that it was held.
 */
export function createWaitForChange({ db, pseudonyms, stopping, limits, load }: WaitForChangeDeps) {
  const held = new Set<HeldRequest>();
  stopping.addEventListener('abort', () => held.forEach(({ wake }) => wake()));

  function hasRoom(network: string): boolean {
    if (stopping.aborted || load.isCrowded() || held.size >= limits.heldRequests) return false;
    const ofNetwork = [...held].filter((other) => other.network === network);
    return ofNetwork.length < limits.perAddress.heldRequests;
  }

  return async function waitForChange<Answer extends object>(
    req: Request,
    res: Response,
    { app, hwid, by, read, isAwaiting }: Asked<Answer>,
  ): Promise<Answer> {
    const until = performance.now() + readWaitMs(req);
    const network = by.networks[0];
    if (performance.now() >= until || !hasRoom(network)) return read();

    let isChanged = false;
    let endPause = () => {};
    const wake = () => {
      isChanged = true;
      endPause();
    };
    const request = { network, wake };
    held.add(request);
    res.once('close', wake);
    // What is committed from here on is either read or noticed.
    const device = await createDevicesRepository(db)
      .find(app, pseudonyms.hwid(hwid))
      .catch(() => undefined);
    if (device) commits.on(`of ${device.id}`, wake);
    try {
      let answer = await read();
      if (!isAwaiting(answer)) return answer;

      noteHold(res);
      const told = tellingOf(answer);
      do {
        const timer = setTimeout(wake, Math.min(RECHECK_MS * (1 - Math.random() / 5), until - performance.now()));
        if (!isChanged) await new Promise<void>((resolve) => (endPause = resolve));
        clearTimeout(timer);
        // Reading a key for nobody would note it as fetched.
        if (res.closed || load.isCrowded()) return answer;
        // All who are held end now. Would they all read, there were no room for most of them in the queue for the database.
        if (stopping.aborted) break;
        isChanged = false;
        answer = await read();
      } while (tellingOf(answer) === told && performance.now() < until);
      res.set('preference-applied', 'wait');
      return answer;
    } finally {
      held.delete(request);
      if (device) commits.off(`of ${device.id}`, wake);
    }
  };
}

function readWaitMs(req: Request): number {
  const [, seconds = 0] = /(?:^|,)\s*wait\s*=\s*"?(\d{1,6})"?\s*(?:$|[,;])/i.exec(req.get('prefer') ?? '') ?? [];
  return Math.min(Number(seconds), MAX_WAIT_S) * 1000;
}

/** What an answer says, without its time. */
function tellingOf(answer: object): string {
  return JSON.stringify({ ...answer, now: undefined });
}
