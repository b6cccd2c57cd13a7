import type { AdvertiserId } from '@app/contracts/key-system';

/** One visitor's way through an advertiser. */
export interface LinkOrder {
  attemptId: string;
  /** Where the advertiser sends the visitor when the step is done. */
  returnUrl: string;
  /** The link of the advertiser's panel to build on; null for the account's own. */
  link: string | null;
}

/** What came back with the visitor, unchecked. */
export type ReturnQuery = Readonly<Record<string, unknown>>;

export type ProofVerdict =
  /** `ref` names the proof, so that it can count only once; null where the advertiser gives no name. */
  | { verdict: 'confirmed'; ref: string | null }
  | { verdict: 'refused' }
  /** The advertiser's own call is the proof, and may still be on its way. */
  | { verdict: 'awaited' }
  /** Nobody knows. `proofSpent` when asking may have used the proof up. */
  | { verdict: 'unavailable'; proofSpent: boolean };

/** How one advertiser is spoken to. */
export interface Advertiser {
  id: AdvertiserId;
  /** The hosts that visitors may be sent to. */
  hosts(): readonly string[];
  /** @throws ProviderError when the advertiser gives no link */
  createLink(order: LinkOrder): Promise<string>;
  /** Whether a return brings anything to check. Where the proof is no token it always does; a token that is garbled is one. */
  bringsProof(query: ReturnQuery): boolean;
  checkProof(query: ReturnQuery, attempt: { issuedAt: number }): Promise<ProofVerdict>;
}
