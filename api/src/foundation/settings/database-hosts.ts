/** The address of PostgreSQL: all before the hosts, the hosts, all after them. */
const URL_PARTS_PATTERN = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^@/?#]*)((?:[/?][^@#]*)?)$/;

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
  return URL_PARTS_PATTERN.test(url);
}

/**
 * Lists one address for each host that the address of a PostgreSQL names, in their order. libpq knows such addresses;
 * `pg` does not: `postgres://user:password@one:5432,two:5432/name?target_session_attrs=read-write`.
 * Source: https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-MULTIPLE-HOSTS
 */
export function listDatabaseHosts(url: string): string[] {
  const [, before = '', hosts = '', after = ''] = URL_PARTS_PATTERN.exec(url) ?? [];
  return before === '' ? [url] : hosts.split(',').map((host) => before + host + after);
}

/** Whether each host can be read, and several hosts are meant as we use them: of several, the one that takes writes. */
export function areDatabaseHostsUsable(url: string): boolean {
  const urls = listDatabaseHosts(url);
  return (
    urls.length === 1 ||
    urls.every(
      (each) =>
        URL.canParse(each) &&
        new URL(each).hostname !== '' &&
        new URL(each).searchParams.get('target_session_attrs') === 'read-write',
    )
  );
}
