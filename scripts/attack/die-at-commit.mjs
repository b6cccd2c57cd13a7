import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';

/**
 * `npm run soak` loads this file into a server before the server's own code (`node --import`). When the parent process
 * asks for it, the next transaction that has stored a message of the payment provider kills the process (SIGKILL):
 * `before` its commit, or right `after` it, before anybody is answered. It is not part of any build.
 */
const MESSAGE = /insert into "webhook_event"/;
/** @type {'before' | 'after' | undefined} */
let dieAt;
process.on('message', (/** @type {{ dieAt?: 'before' | 'after' }} */ message) => {
  if (message.dieAt) dieAt = message.dieAt;
});

/** @param {'before' | 'after'} moment */
function dieIf(moment) {
  if (dieAt === moment) process.kill(process.pid, 'SIGKILL');
}

// SQLite has one connection, so its transactions come one after the other.
let isMessage = false;
/** @type {(this: DatabaseSync, source: string) => import('node:sqlite').StatementSync} */
const prepare = Reflect.get(DatabaseSync.prototype, 'prepare');
Object.assign(DatabaseSync.prototype, {
  /** @this {DatabaseSync} */
  prepare(/** @type {string} */ source) {
    const statement = prepare.call(this, source);
    return /^(begin|rollback|commit)/.test(source) || MESSAGE.test(source) ? watch(statement, source) : statement;
  },
});

/**
 * @param {import('node:sqlite').StatementSync} statement
 * @param {string} source
 */
function watch(statement, source) {
  for (const method of /** @type {const} */ (['run', 'all'])) {
    const original = /** @type {(...parameters: unknown[]) => unknown} */ (statement[method]);
    Object.assign(statement, {
      [method](/** @type {unknown[]} */ ...parameters) {
        const isEnd = source === 'commit' && isMessage;
        isMessage = MESSAGE.test(source);
        if (isEnd) dieIf('before');
        const result = original.apply(statement, parameters);
        if (isEnd) dieIf('after');
        return result;
      },
    });
  }
  return statement;
}

/** The connections whose transaction has stored a message. */
const telling = new WeakSet();
/** @type {(this: pg.Client, ...asked: unknown[]) => Promise<unknown>} */
const query = Reflect.get(pg.Client.prototype, 'query');
Object.assign(pg.Client.prototype, {
  /** @this {pg.Client} */
  query(/** @type {unknown[]} */ ...asked) {
    const isEnd = asked[0] === 'commit' && telling.delete(this);
    if (MESSAGE.test(String(asked[0]))) telling.add(this);
    if (isEnd) dieIf('before');
    const answer = query.apply(this, asked);
    if (isEnd) void answer.then(() => dieIf('after'));
    return answer;
  },
});
