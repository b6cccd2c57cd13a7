import { DatabaseSync, type StatementSync } from 'node:sqlite';
import pg from 'pg';

/**
 * `npm run soak` loads this file into a server before the server's own code (`node --import`). When the parent process
 * asks for it, the next transaction that has stored a message of the payment provider kills the process (SIGKILL):
 * `before` its commit, or right `after` it, before anybody is answered. It is not part of any build.
 */
const MESSAGE = /insert into "webhook_event"/;
let dieAt: 'before' | 'after' | undefined;
process.on('message', (message: { dieAt?: 'before' | 'after' }) => {
  if (message.dieAt) dieAt = message.dieAt;
});

function dieIf(moment: 'before' | 'after'): void {
  if (dieAt === moment) process.kill(process.pid, 'SIGKILL');
}

// SQLite has one connection, so its transactions come one after the other.
let isMessage = false;
const prepare = Reflect.get(DatabaseSync.prototype, 'prepare');
Object.assign(DatabaseSync.prototype, {
  prepare(this: DatabaseSync, source: string) {
    const statement = prepare.call(this, source);
    return /^(begin|rollback|commit)/.test(source) || MESSAGE.test(source) ? watch(statement, source) : statement;
  },
});

function watch(statement: StatementSync, source: string): StatementSync {
  for (const method of ['run', 'all'] as const) {
    const original = statement[method] as (...parameters: unknown[]) => unknown;
    Object.assign(statement, {
      [method](...parameters: unknown[]) {
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
const telling = new WeakSet<pg.Client>();
const query = Reflect.get(pg.Client.prototype, 'query') as (this: pg.Client, ...asked: unknown[]) => Promise<unknown>;
Object.assign(pg.Client.prototype, {
  query(this: pg.Client, ...asked: unknown[]) {
    const [statement] = asked as [string | pg.QueryConfig];
    const sql = typeof statement === 'string' ? statement : statement.text;
    const isEnd = /\bcommit$/.test(sql) && telling.delete(this);
    if (MESSAGE.test(sql)) telling.add(this);
    if (isEnd) dieIf('before');
    const answer = query.apply(this, asked);
    if (isEnd) void answer.then(() => dieIf('after'));
    return answer;
  },
});
