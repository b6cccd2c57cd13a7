import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import type { AuditEventRow, Db } from '#api/foundation/db/schema.ts';
import { type AuditDetail, type AuditEntry, hashEvent } from '#api/foundation/audit/audit-entry.ts';
import { createAuditTrust, type AuditTrust, type TrustedAudit } from '#api/foundation/audit/audit-trust.ts';
import { createAuditRepository } from '#api/foundation/audit/audit.repository.ts';
import { createAuditService } from '#api/foundation/audit/audit.service.ts';
import { transact } from '#api/foundation/audit/transact.ts';
import { sealAll } from '#api/foundation/audit/seal-audit.ts';
import { verifyAudit } from '#api/foundation/audit/verify-audit.ts';
import {
  generateSigningKey,
  readSigningKey,
  type Signer,
  type SigningKey,
} from '#api/foundation/crypto/signing-key.ts';
import { T0 } from './build-rows.ts';

export const HOUR = 60 * 60 * 1000;
export const DAY = 24 * HOUR;
export const OURS = readSigningKey(generateSigningKey('ours'));

/** Records an event in a transaction that does nothing else, and seals it. */
export async function recordEvent(db: Db, event: AuditEntry): Promise<void> {
  await transact(db, {}, (tx) => Promise.resolve(tx.record(event)));
  await sealAll(db);
}

/** An audit with its own clock and trust folder for each test, and helpers that change it as an attacker would. */
export function useAuditChain(db: () => Db): AuditChain {
  const chain = new AuditChain(db);
  beforeEach(() => {
    chain.time = T0;
    chain.retentionDays = 365;
    chain.trust = createAuditTrust(mkdtempSync(join(tmpdir(), 'audit-')));
  });
  afterEach(() => rmSync(chain.trust.folder, { recursive: true }));
  return chain;
}

class AuditChain {
  time = T0;
  retentionDays = 365;
  trust = createAuditTrust(tmpdir());
  readonly #db: () => Db;

  constructor(db: () => Db) {
    this.#db = db;
  }

  /** Verifies with the keys alone, or with what `kept` adds. */
  verify(kept: Partial<TrustedAudit> = {}) {
    return verifyAudit(this.#db(), {
      trusted: { keys: [OURS.publicJwk], anchors: [], since: undefined, ...kept },
      now: this.time,
    });
  }

  verifyKept() {
    return this.verify({ anchors: this.trust.read().anchors });
  }

  readRow(seq: number) {
    return this.#db().selectFrom('auditEvent').selectAll().where('seq', '=', seq).executeTakeFirstOrThrow();
  }

  removeRows(from: number, to: number) {
    return this.#db().deleteFrom('auditEvent').where('seq', '>=', from).where('seq', '<=', to).execute();
  }

  async turnHead(seq: number) {
    return this.#db()
      .updateTable('auditHead')
      .set({ seq, hash: (await this.readRow(seq)).hash })
      .execute();
  }

  service(key: Signer = OURS, trust: AuditTrust = this.trust) {
    return createAuditService({
      audit: createAuditRepository(this.#db()),
      trust,
      signingKey: () => key,
      retentionDays: this.retentionDays,
      now: () => this.time,
    });
  }

  async anchor(key: SigningKey = OURS) {
    return (await this.service(key).anchorEndedDays()).at(-1);
  }

  async append(count: number): Promise<void> {
    for (let index = 0; index < count; index++)
      await recordEvent(this.#db(), {
        at: this.time,
        kind: 'key',
        code: 'issued',
        subject: 'device-row',
        detail: { index },
      });
  }

  /** Writes five rows, an anchor over them, and three more rows. */
  async write(): Promise<void> {
    await this.append(5);
    this.time += DAY;
    await this.anchor();
    await this.append(3);
  }

  async empty(): Promise<void> {
    for (const table of ['auditUnsealed', 'auditEvent', 'auditHead', 'auditAnchor'] as const)
      await this.#db().deleteFrom(table).execute();
  }

  /** Overwrites a row, with a hash that fits it, as an attacker who knows the scheme would. */
  async forge({ seq, at, kind, code, subject, prevHash }: AuditEventRow, detail: AuditDetail): Promise<string> {
    const hash = hashEvent(prevHash, { seq, at, kind, code, subject, detail });
    await this.#db()
      .updateTable('auditEvent')
      .set({ prevHash, detail: JSON.stringify(detail), hash })
      .where('seq', '=', seq)
      .execute();
    return hash;
  }
}
