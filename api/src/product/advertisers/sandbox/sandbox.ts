import { randomBytes } from 'node:crypto';
import { Router } from 'express';
import { SANDBOX_STYLE } from '#api/foundation/http/interstitial.ts';
import type { AdvertisersSettings } from '#api/product/advertisers/advertisers-settings.ts';
import { fakeLinkvertise, fakeLootlabs, fakeRinku, fakeWorkink } from './fakes.ts';
import { type SandboxDeps, SCRIPT } from './visit-page.ts';

export interface Sandbox {
  settings: () => AdvertisersSettings;
  router: Router;
}

const ROOT = '/dev/advertiser';

/**
 * Creates the sandbox, which plays all advertisers in development: the documented API of each on this server, and a
 * page for the visitor with buttons for misbehaviour. It keeps its data in memory, until a restart.
 */
export function createSandbox(deps: SandboxDeps): Sandbox {
  const token = randomBytes(32).toString('hex');
  const postbackSecret = randomBytes(24).toString('base64url');
  const linkId = 10345;

  const settings = (): AdvertisersSettings => {
    const visitors = `${deps.baseUrl()}${ROOT}`;
    const self = `${deps.selfOrigin()}${ROOT}`;
    const hosts = [new URL(visitors).host];

    return {
      linkvertise: { hosts, apiBase: `${self}/linkvertise`, linkBase: `${visitors}/linkvertise`, userId: '1', token },
      workink: { hosts, apiBase: `${self}/workink`, link: `${visitors}/workink/link`, linkIds: [linkId] },
      lootlabs: { hosts, apiBase: `${self}/lootlabs`, link: `${visitors}/lootlabs/s?sandbox`, token, postbackSecret },
      rinku: { hosts, apiBase: `${self}/rinku`, apiKey: token },
    };
  };

  const router = Router();
  router.get(`${ROOT}/sandbox.css`, (_req, res) => void res.type('css').send(SANDBOX_STYLE));
  router.get(`${ROOT}/sandbox.js`, (_req, res) => void res.type('js').send(SCRIPT));
  router.use(`${ROOT}/linkvertise`, fakeLinkvertise({ ...deps, token }));
  router.use(`${ROOT}/workink`, fakeWorkink({ ...deps, linkId }));
  router.use(`${ROOT}/lootlabs`, fakeLootlabs({ ...deps, token, postbackSecret }));
  router.use(`${ROOT}/rinku`, fakeRinku({ ...deps, apiKey: token }));

  return { settings, router };
}
