import type { Answer } from '#api/ops/command.ts';
import { formatTime, listAnswer, pick } from '#api/ops/format.ts';

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
    const { id, label, revokedAt, expiresAt, lastUsedAt } = token;
    const state = revokedAt !== null ? 'revoked' : expiresAt <= now ? 'expired' : 'works';
    const made = pick(token as Token, 'createdAt', 'createdBy');
    return { id, [what as string]: token[what], label, state, ...made, expiresAt, revokedAt, lastUsedAt };
  });
  return listAnswer(data, {
    id: ({ id }) => id,
    [what]: (token) => String((token as Record<string, unknown>)[what]),
    for: ({ label }) => label,
    state: ({ state }) => state,
    made: ({ createdAt, createdBy }) => `${formatTime(createdAt)} by ${createdBy}`,
    until: ({ expiresAt }) => formatTime(expiresAt),
    'last used': ({ lastUsedAt }) => formatTime(lastUsedAt) ?? 'never',
  });
}
