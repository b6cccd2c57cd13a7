import type { OrderState } from '@app/contracts/checkout';
import type { PlanId } from '@app/contracts/active-plan';
import type { Generated } from 'kysely';

/** `won`: a dispute, after which the payment was not given back. */
export type ReverseReason = 'refund' | 'dispute' | 'won';

export interface CheckoutTables {
  purchaseOrder: {
    /** Also the reference by which the buyer's pages ask for the order. */
    id: string;
    deviceId: string;
    mode: 1 | 2 | 3;
    zoneHmac: string | null;
    amountCents: number;
    currency: string;
    provider: string;
    /** The provider's checkout session. */
    providerRef: string | null;
    idemKey: string;
    clientDate: string | null;
    state: OrderState;
    createdAt: number;
    paidAt: number | null;
    /** The device id and the zone of the address, encrypted, for the way back to the plans. */
    sealedClaim: string | null;
    providerUrl: string | null;
    /** When the provider's page ends. */
    expiresAt: number | null;
    /** The provider's payment. Refunds and disputes name it. */
    paymentRef: string | null;
    /** The buyer's email address and name as JSON, encrypted. */
    sealedBuyer: string | null;
    countryCode: string | null;
    /** 1 when the buyer agreed that the name may pass by as a toast. */
    showsName: Generated<number>;
    refundedAt: number | null;
  };

  /** A payment of the provider. Its refund or dispute may be told before the payment itself. */
  payment: {
    ref: string;
    /** The order that it pays; null until that is told. */
    orderId: string | null;
    /** When the first message about it came. */
    toldAt: number;
    reversedAt: number | null;
    reverseReason: ReverseReason | null;
  };

  webhookEvent: {
    provider: string;
    eventId: string;
    type: string | null;
    receivedAt: number;
    processedAt: number | null;
    /** Why an event changed nothing although it should have. */
    error: string | null;
  };

  licence: {
    id: string;
    /** The HMAC of the address in lower case, by which servers of the previous release find it. */
    emailHmac: string | null;
    /** The email address, encrypted. */
    emailEnc: Generated<string | null>;
    /** The HMAC of the address in its one spelling; null where a server of the previous release has stored the licence. */
    mailboxHmac: Generated<string | null>;
    createdAt: number;
    wantsReminder: Generated<number>;
    /** The end that the last reminder named. */
    remindedOf: Generated<number | null>;
  };

  licencePeriod: {
    id: string;
    licenceId: string;
    planId: PlanId;
    orderId: string | null;
    codeId: string | null;
    startsAt: number;
    endsAt: number;
    revokedAt: number | null;
    revokeReason: string | null;
  };

  licenceDevice: {
    licenceId: string;
    /** Always the device's row of the main app; a licence is for all apps of a device. */
    deviceId: string;
    boundAt: number;
    unboundAt: number | null;
  };

  licenceCode: {
    id: string;
    codeHash: string;
    resellerId: string;
    planId: PlanId;
    batchId: string | null;
    issuedAt: number;
    redeemedAt: number | null;
    revokedAt: number | null;
  };

  /** A link in a mail: to reset the devices of a licence, or to add one (`claim`). */
  resetRequest: {
    id: string;
    purpose: Generated<'reset' | 'claim'>;
    licenceId: string | null;
    emailHmac: string;
    tokenHash: string | null;
    createdAt: number;
    expiresAt: number;
    usedAt: Generated<number | null>;
    /** The device that a `claim` adds, and its id, encrypted, to be shown shortened. */
    deviceId: Generated<string | null>;
    sealedDevice: Generated<string | null>;
  };

  mail: {
    id: string;
    kind: string;
    /** Recipient, subject and text as JSON, encrypted; null once it is sent or given up. */
    sealedMessage: string | null;
    state: 'queued' | 'sending' | 'sent' | 'failed';
    createdAt: number;
    nextTryAt: number;
    claimedAt: number | null;
    tries: Generated<number>;
    sentAt: number | null;
    error: string | null;
  };

  recentPurchase: {
    id: string;
    name: string;
    location: string;
    countryCode: string;
    boughtAt: number;
    /** 1 for a demo row. */
    isDemo: Generated<number>;
  };
}
