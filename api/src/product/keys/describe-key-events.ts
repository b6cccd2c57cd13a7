import type { AuditDetail } from '#api/foundation/audit/audit-entry.ts';
import type { Db, KeyRow } from '#api/foundation/db/schema.ts';
import type { WebhookSources } from '#api/foundation/webhooks/webhook-sender.ts';
import type { KeyClaims } from './key-token.ts';
import { createKeysRepository } from './keys.repository.ts';

/**
 * Says what webhooks tell of keys: what their claims say. Not the key itself, of the device only the hash that the app
 * calculates as well, and not the words in which an operator noted why: they may be about a buyer.
 */
export function describeKeyEvents(db: Db): WebhookSources {
  const keys = createKeysRepository(db);
  const find = ({ jti }: AuditDetail) => keys.find(String(jti));

  return {
    'key.issued': {
      kind: 'key',
      code: 'issued',
      scope: 'app',
      async describe({ detail }) {
        const key = await find(detail);
        return key && describeKey(key);
      },
    },
    'key.withdrawn': {
      kind: 'key',
      code: 'revoked',
      scope: 'app',
      async describe({ at, detail }) {
        const key = await find(detail);
        return key && { ...describeKey(key), withdrawnAt: at };
      },
    },
  };
}

function describeKey({ appId: app, jti, jws, issuedAt, expiresAt }: KeyRow) {
  const [, payload = ''] = jws.split('.');
  const { sub, src } = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as KeyClaims;
  return { app, jti, sub, src, issuedAt, expiresAt };
}
