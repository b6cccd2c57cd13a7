import type { Request, Response } from 'express';
import type { Choice } from '../choose-releases.ts';
import type { PinSession } from '../pin-session.ts';
import type { Registry } from '../registry.ts';
import { createQaCookies, type QaCookies } from './qa-cookies.ts';
import { createQaSigner, type QaSigner } from './qa-signer.ts';

interface QaDeps {
  pepper: string;
  /** Who knows it has QA access. */
  accessKey: string | undefined;
  /** Whether everybody has QA access when there is no access key. */
  isOpen: boolean;
  registry: Registry;
  now: () => number;
}

export type Qa = ReturnType<typeof createQa>;

type Choose = (req: Request, res: Response) => Choice | Promise<Choice>;

/** What the routes and the choice of releases need of QA: who has access, and what is pinned in a browser. */
export function createQa({ pepper, accessKey, isOpen, registry, now }: QaDeps) {
  const signer: QaSigner = createQaSigner({ pepper, accessKey });
  const cookies: QaCookies = createQaCookies(signer, now);
  const isFree = isOpen && accessKey === undefined;

  const hasAccess = (req: Request) => isFree || cookies.hasAccess(req);
  const readPins = (req: Request): PinSession | undefined => {
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
    /** Whether this is the access key. */
    isAccessKey: (key: string) => isFree || (accessKey !== undefined && signer.isSame(key, accessKey)),

    /** Adds to a choice what QA sees of it: what is pinned, the simulated faults, and a notice. Others get nothing. */
    explain(choose: Choose): Choose {
      return async (req, res) => {
        const choice = await choose(req, res);
        const kept = cookies.readPins(req);
        const noticed = cookies.readNotice(req);
        const access = hasAccess(req);
        if (!kept && noticed === undefined && !access) return choice;

        if (noticed !== undefined) cookies.endNotice(res);
        if (kept === 'ended') cookies.endPins(res);
        const session = kept === 'ended' ? undefined : kept;
        const notice = noticed ?? (kept === 'ended' ? 'What was pinned in this browser has ended.' : undefined);
        return {
          ...choice,
          qa: {
            faults: session?.faults ?? {},
            told: {
              access,
              pins: { ...session?.pins },
              ...(session && { until: session.until }),
              ...(notice !== undefined && { notice }),
            },
          },
        };
      };
    },
  };
}
