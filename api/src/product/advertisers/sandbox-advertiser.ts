import { SANDBOX } from '@app/contracts/key-system';
import type { Advertiser } from './advertiser.ts';

/** The page that stands in for an advertiser. `key-system.routes.ts` serves it, with the ticket at the end. */
const SANDBOX_VISIT = '/api/apps/sandbox/visit';

/** The adapter of the sandbox: a page of ours, whose only proof is the secret return address that it leads to. */
export function createSandboxAdvertiser(baseUrl: () => string): Advertiser {
  return {
    id: SANDBOX,
    hosts: () => [new URL(baseUrl()).host],
    createLink: ({ returnUrl }) =>
      Promise.resolve(`${baseUrl()}${SANDBOX_VISIT}/${returnUrl.slice(returnUrl.lastIndexOf('/') + 1)}`),
    bringsProof: () => true,
    isAddressProof: true,
    checkProof: () => Promise.resolve({ verdict: 'confirmed', ref: null }),
  };
}
