import type { KeptPins } from '@app/contracts/qa';
import type { Request, Response } from 'express';
import type { Choice } from '#api/delivery/serving/choose-releases.ts';
import type { Registry } from '#api/delivery/registry/registry.ts';
import type { Choose } from '#api/delivery/serving/visitor-choice.ts';
import type { Pins } from './pin-addresses.ts';
import { createQaCookies, type QaCookies } from './qa-cookies.ts';
import { createQaSigner, type QaSigner } from './qa-signer.ts';

interface QaDeps {
  pepper: string;
  /** Who knows it has QA access. */
  accessKey?: string | undefined;
  /** Whether everybody has QA access when there is no access key. */
  isOpen: boolean;
  registry: Registry;
  /** Notes which releases somebody may ask for by pins, and until when: they are kept for so long. */
  notePins: (pins: Pins, until: number) => Promise<void>;
  now: () => number;
}

export type Qa = ReturnType<typeof createQa>;

const ENDED = 'What was pinned in this browser has ended.';

/** What the routes and the choice of releases need of QA: who has access, and what is pinned in a browser. */
export function createQa({ pepper, accessKey, isOpen, registry, notePins, now }: QaDeps) {
  const signer: QaSigner = createQaSigner({ pepper, accessKey });
  const cookies: QaCookies = createQaCookies(signer, now);
  const isFree = isOpen && accessKey === undefined;

  const hasAccess = (req: Request) => isFree || cookies.hasAccess(req);
  const readPins = (req: Request): KeptPins | undefined => {
    const session = cookies.readPins(req);
    return session === 'ended' ? undefined : session;
  };

  return {
    signer,
    cookies,
    registry,
    now,
    hasAccess,
    /** What is pinned in this browser. */
    readPins,
    notePins,
    async putPins(res: Response, session: KeptPins): Promise<void> {
      // A share link was noted when it was made, so who opens one writes nothing.
      if (session.by !== 'share') await notePins(session.pins, session.until);
      cookies.putPins(res, session);
    },
    /** Whether this is the access key. */
    isAccessKey: (key: string) => isFree || (accessKey !== undefined && signer.isSame(key, accessKey)),

    /** Adds to a choice what QA sees of it: what is pinned, the simulated faults, and a notice. Others get nothing. */
    explain(choose: Choose): Choose {
      const plain = new WeakMap<Choice, Choice>();

      return async (req, res, ...rest) => {
        const choice = await choose(req, res, ...rest);
        const kept = cookies.readPins(req);
        // A notice waits for a page, which shows it.
        const noticed = req.originalUrl.startsWith('/api/') ? undefined : cookies.readNotice(req);
        const access = hasAccess(req);
        if (!kept && noticed === undefined) return access ? allowed(plain, choice) : choice;

        if (noticed !== undefined) cookies.endNotice(res);
        if (kept === 'ended') cookies.endPins(res);
        const { faults, told } = choice.qa ?? { faults: {}, told: { pins: {} } };
        const notice = noticed ?? (kept === 'ended' ? ENDED : told.notice);
        return { ...choice, qa: { faults, told: { ...told, access, ...(notice !== undefined && { notice }) } } };
      };
    },
  };
}

/** The choice for browsers with QA access in which nothing is pinned. They share it, as all visitors share theirs. */
function allowed(known: WeakMap<Choice, Choice>, choice: Choice): Choice {
  let same = known.get(choice);
  if (!same) known.set(choice, (same = { ...choice, qa: { faults: {}, told: { access: true, pins: {} } } }));
  return same;
}
