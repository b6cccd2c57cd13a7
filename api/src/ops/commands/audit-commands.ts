import { createAuditRepository } from '#api/foundation/audit/audit.repository.ts';
import { sealAll } from '#api/foundation/audit/seal-audit.ts';
import { verifyAudit, type AuditProblem, type AuditVerdict } from '#api/foundation/audit/verify-audit.ts';
import { createSigningKeysRepository } from '#api/product/keys/signing-keys.repository.ts';
import { calculateThumbprint, publicJwkSchema, type PublicJwk } from '#api/foundation/crypto/public-jwk.ts';
import { parseJson } from '#api/foundation/settings/read-json.ts';
import { OpsError, type AddCommands, type Answer, type OpsContext } from '#api/ops/command.ts';
import { linesOption } from '#api/ops/options.ts';
import { formatTime, listAnswer, pick } from '#api/ops/format.ts';
import { messageOf } from '#api/foundation/settings/errors.ts';

export const addAuditCommands: AddCommands = (program, { onSite }) => {
  const audit = program.command('audit').description('what was done, in a chain that shows whether it was changed');

  audit
    .command('verify')
    .description('check that no row was changed, moved or removed, and name the first one that was')
    .option('--anchor <jws...>', 'anchors from the log')
    .action(({ anchor }) => onSite((context) => verify(context, anchor)));

  audit
    .command('trust')
    .description('trust the anchors of a key that the database names; without a thumbprint show what to compare')
    .argument('<kid>', 'the id of the key')
    .argument('[thumbprint]', 'from the log of the server that signs with it: the line `signing`')
    .action((kid, thumbprint) => onSite((context) => trust(context, kid, thumbprint)));

  audit
    .command('tail')
    .description('show the newest rows')
    .addOption(linesOption())
    .action(({ lines }) => onSite((context) => tail(context, lines)));
};

/** Checks the audit: everything that is stored against the keys and anchors outside the database, and those given. */
export async function verify(context: OpsContext, given: readonly string[] = []): Promise<Answer> {
  const kept = context.auditTrust.read();
  const keys = [context.signingKey.publicJwk, ...kept.keys];
  const verdict = await verifyAudit(context.db, {
    trusted: { ...kept, keys, anchors: [...kept.anchors, ...given] },
    now: context.now(),
  });
  return {
    data: verdict,
    text: verdict.ok ? describeIntact(verdict) : explain(verdict, context.auditTrust.folder),
    isBad: !verdict.ok,
  };
}

async function trust({ db, auditTrust, now }: OpsContext, kid: string, given: string | undefined): Promise<Answer> {
  const row = (await createSigningKeysRepository(db).list()).find((key) => key.kid === kid);
  if (!row) throw new OpsError('The database names no such key; see: signing-key list.');

  const jwk = readNamedKey(row);
  const thumbprint = calculateThumbprint(jwk);
  if (given === undefined) {
    // Else a hyphen at its beginning would make it an option.
    const word = thumbprint.startsWith('-') ? `-- ${thumbprint}` : thumbprint;
    const text = `Nothing was changed. The database says that the thumbprint of ${row.kid} is ${thumbprint}. Compare it with the one that the server which signs with this key logs at its start; if they are the same, type: audit trust ${row.kid} ${word}`;
    return { data: { kid, thumbprint, isTrusted: false }, text, isBad: true };
  }
  if (given !== thumbprint)
    throw new OpsError(
      'The key that the database names has another thumbprint; nothing was changed. The right one is in the line “signing” of the log of the server that signs with it.',
    );

  auditTrust.keepKey(jwk, now());
  return {
    data: { kid, thumbprint, isTrusted: true, folder: auditTrust.folder },
    text: `The audit may be signed with ${row.kid} (${auditTrust.folder}).`,
  };
}

async function tail({ db }: OpsContext, lines: number): Promise<Answer> {
  await sealAll(db);
  const rows = await createAuditRepository(db).listNewest(lines);
  return listAnswer(
    rows.map((row) => ({
      ...pick(row, 'seq', 'at', 'kind', 'code', 'subject'),
      detail: JSON.parse(row.detail) as unknown,
    })),
    {
      row: ({ seq }) => seq,
      at: ({ at }) => formatTime(at),
      what: ({ kind, code }) => `${kind} ${code}`,
      device: ({ subject }) => subject,
      detail: ({ detail }) => JSON.stringify(detail),
    },
  );
}

/**
 * Reads a key from the database, which is not trusted.
 * @throws OpsError when it is no valid key, or its `kid` is not that of its row
 */
function readNamedKey({ kid, publicJwk }: { kid: string; publicJwk: string }): PublicJwk {
  try {
    const jwk = parseJson(publicJwkSchema, publicJwk);
    if (jwk.kid !== kid) throw new Error('its kid is not that of its row');
    return jwk;
  } catch (error) {
    const why = `none that can be trusted (${messageOf(error)})`;
    throw new OpsError(`The key that the database names is ${why}; nothing was changed.`, { cause: error });
  }
}

function describeIntact(verdict: Extract<AuditVerdict, { ok: true }>): string {
  const { firstSeq, lastSeq, unsealed, unsealedSince = 0, anchors, anchoredUntil, since } = verdict;
  const waiting = `; ${unsealed === 1 ? '1 event is' : `${unsealed} events are`} not sealed yet, the oldest of ${formatTime(unsealedSince)}. A server that runs seals within a second; if none did, its log says why`;
  const rows = `Rows ${firstSeq} to ${lastSeq} are whole${unsealed === 0 ? '' : waiting}`;
  if (anchors === 0)
    return `${rows}. None is anchored yet: this site began ${since === undefined ? 'just now' : formatTime(since)}, and signs its first anchor within a minute.`;

  return `${rows}; ${anchors} anchors, the newest at row ${anchoredUntil}.`;
}

function explain(found: AuditProblem, folder: string): string {
  const row = 'seq' in found ? `Row ${found.seq}` : '';
  const day = 'day' in found ? found.day : '';
  const texts: Record<AuditProblem['problem'], string> = {
    missing: `${row} is missing.`,
    edited: `${row} was changed after it was written.`,
    unlinked: `${row} does not follow from the row before it.`,
    not_anchored: `${row} is not the row that an anchor was signed over.`,
    anchor_forged: `The anchor of ${day} is not signed as it stands: it was changed.`,
    unknown_key: `The anchor of ${day} is signed by a key that is not among the trusted ones in ${folder}.`,
    no_anchor: `There is no anchor of ${day}. A server that runs signs one for every day.`,
    anchor_ahead: `${day} has an anchor, but has not ended: the clock of a server was ahead, or that of this machine is behind. Until it has ended, no day is signed.`,
    not_an_anchor: `An anchor that was given, or kept in ${folder}, is not signed by a trusted key.`,
    no_anchors:
      'There are no anchors. A server signs its first one within a minute of its first start, so they were removed, or no server runs.',
    no_rows: 'There are no rows, though the first start of a site writes one: they were removed.',
  };
  return texts[found.problem];
}
