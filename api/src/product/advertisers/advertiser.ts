import type { AdvertiserId } from '@app/contracts/advertisers';
import * as v from 'valibot';
import { ProviderError, type ProviderRequest, readJson } from '#api/foundation/http/call-provider.ts';

export interface LinkOrder {
  attemptId: string;
  /** Where the advertiser sends the visitor when the step is done. */
  returnUrl: string;
  /** The link from the advertiser's panel that the result is built from; null for the link of the account. */
  link: string | null;
}

export type ReturnQuery = Readonly<Record<string, unknown>>;

export type ProofVerdict =
  /** `ref` names the proof, so that it can count only once; null where the advertiser gives no name. */
  | { verdict: 'confirmed'; ref: string | null }
  | { verdict: 'refused' }
  /** The proof is the advertiser's own call, which may still be on its way. */
  | { verdict: 'awaited' }
  /** The advertiser did not answer. `proofSpent`: the question may have used the proof up. */
  | { verdict: 'unavailable'; proofSpent: boolean };

export interface Advertiser {
  id: AdvertiserId;
  /** The hosts that visitors may be sent to. */
  hosts(): readonly string[];
  /** @throws ProviderError when the advertiser gives no link */
  createLink(order: LinkOrder): Promise<string>;
  /** Whether a return brings anything to check, be it malformed. Always true for advertisers without a token. */
  bringsProof(query: ReturnQuery): boolean;
  /** Whether the secret return address is the whole proof, so that a check asks nothing and confirms. */
  isAddressProof?: true;
  /** Only the documented reply confirms. @throws ProviderError when the advertiser gives none */
  checkProof(query: ReturnQuery, attempt: { issuedAt: number }): Promise<ProofVerdict>;
}

/**
 * Calls an advertiser, unless its circuit is open. A reply that `read` cannot read counts as a failure, like no reply.
 * @throws ProviderError when the circuit is open, or the call failed
 */
export type CallAdvertiser = <Answer>(
  url: URL,
  request: ProviderRequest,
  read: (reply: string) => Answer,
) => Promise<Answer>;

/** Makes a reader for JSON replies, which throws a ProviderError with this message when one does not fit the schema. */
export function readReply<Schema extends v.GenericSchema>(
  schema: Schema,
  otherwise: string,
): (reply: string) => v.InferOutput<Schema> {
  return (reply) => {
    const result = v.safeParse(schema, readJson(reply));
    if (result.success) return result.output;

    throw new ProviderError(otherwise, { failure: 'unfit' });
  };
}
