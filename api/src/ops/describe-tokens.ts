import type { Answer } from '#api/ops/command.ts';
import { formatTable, formatTime } from '#api/ops/format.ts';

/** A token in a list, as both kinds of tokens are stored. */
interface Token {
  id: string;
  label: string;
  createdAt: number;
  createdBy: string;
  expiresAt: number;
  revokedAt: number | null;
  lastUsedAt: number | null;
}

/**
 * Lists tokens: for whom they are, and whether they work.
 * @param what each token is for, as the column is called: `unit` or `app`
 */
export function describeTokens<Of extends string>(
  tokens: readonly (Token & Record<Of, string>)[],
  what: Of,
  now: number,
): Answer {
  const data = tokens.map((token) => {
    const { id, label, createdAt, createdBy, expiresAt, revokedAt, lastUsedAt } = token;
    const state = revokedAt !== null ? 'revoked' : expiresAt <= now ? 'expired' : 'works';
    return { id, [what]: token[what], label, state, createdAt, createdBy, expiresAt, revokedAt, lastUsedAt };
  });
  const rows = data.map(({ id, label, state, createdAt, createdBy, expiresAt, lastUsedAt }, nth) => [
    id,
    tokens[nth]?.[what] ?? '',
    label,
    state,
    `${formatTime(createdAt)} by ${createdBy}`,
    formatTime(expiresAt),
    lastUsedAt === null ? 'never' : formatTime(lastUsedAt),
  ]);
  return { data, text: formatTable(['id', what, 'for', 'state', 'made', 'until', 'last used'], rows) };
}
