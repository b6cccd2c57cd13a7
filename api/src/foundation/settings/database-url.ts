/** The address of PostgreSQL, with its host. */
const URL_PATTERN = /^postgres(?:ql)?:\/\/(?:[^@/?#]*@)?([^@/?#]*)(?:[/?][^@#]*)?$/;

/**
 * Whether our driver and PostgreSQL's own programs read an address alike. They differ where a separator is not escaped, or
 * a `%` escapes nothing.
 */
export function isDatabaseUrlClear(url: string): boolean {
  try {
    decodeURIComponent(url);
  } catch {
    return false;
  }
  return URL_PATTERN.test(url);
}

/** Whether it names a list of hosts, which libpq knows and `pg` does not. */
export function hasSeveralHosts(url: string): boolean {
  const [, host = ''] = URL_PATTERN.exec(url) ?? [];
  return host.includes(',') || /[?&]host=[^&]*(?:,|%2c)/i.test(url);
}
