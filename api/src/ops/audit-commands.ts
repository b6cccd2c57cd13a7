import { createAuditRepository } from '#api/features/audit/audit.repository.ts';
import { verifyAudit, type AuditProblem } from '#api/features/audit/verify-audit.ts';
import { createSigningKeysRepository } from '#api/features/keys/signing-keys.repository.ts';
import type { PublicJwk } from '#api/features/keys/signing-key.ts';
import type { Command, OpsContext } from './command.ts';
import { readLines } from './read-input.ts';
import { formatTable, formatTime } from './table.ts';

const PROBLEMS: Record<AuditProblem, string> = {
  missing: 'is missing',
  edited: 'was changed after it was written',
  unlinked: 'does not follow from the row before it',
  not_anchored: 'is not the row that an anchor was signed over',
  anchor_forged: 'has an anchor that no key of this site has signed, or that was changed',
};

const verify: Command = {
  usage: 'audit verify',
  says: 'Checks that no row of the audit was changed, moved or removed, and names the first one that was. --anchor takes an anchor from the log.',
  options: ['anchor'],
  async run(context, { options: { anchor } }) {
    const verdict = await verifyAudit(context.db, { keys: await listKeys(context), elsewhere: anchor ?? [] });
    if (!verdict.ok) return { data: verdict, text: `Row ${String(verdict.seq)} ${PROBLEMS[verdict.problem]}.`, isBad: true };

    const { firstSeq, lastSeq, anchors, anchoredUntil } = verdict;
    return {
      data: verdict,
      text: lastSeq < firstSeq ? 'The audit is empty.' : `Rows ${String(firstSeq)} to ${String(lastSeq)} are whole; ${String(anchors)} anchors, the newest at row ${String(anchoredUntil)}.`,
    };
  },
};

const tail: Command = {
  usage: 'audit tail',
  says: 'The newest rows of the audit.',
  options: ['lines'],
  async run({ db }, input) {
    const rows = await createAuditRepository(db).listNewest(readLines(input));
    const data = rows.map(({ seq, at, kind, code, subject, detail }) => ({ seq, at, kind, code, subject, detail: JSON.parse(detail) as unknown }));
    return {
      data,
      text: formatTable(['row', 'at', 'what', 'device', 'detail'], rows.map((row) => [row.seq, formatTime(row.at), `${row.kind} ${row.code}`, row.subject, row.detail])),
    };
  },
};

/** The server's own key from its file, which no database can forge, and those that signed before it. */
async function listKeys({ db, signingKey }: OpsContext): Promise<PublicJwk[]> {
  const stored = await createSigningKeysRepository(db).list();
  return [signingKey.publicJwk, ...stored.map(({ publicJwk }) => JSON.parse(publicJwk) as PublicJwk)];
}

export const AUDIT_COMMANDS: readonly Command[] = [verify, tail];
