import type { AddressInfo } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import express from 'express';

/**
 * A server with one route that writes a row durably and redirects. The bench compares a return from an advertiser with
 * it.
 */
const database = new DatabaseSync(process.argv[2] ?? '');
database.exec(
  'pragma journal_mode = WAL; pragma synchronous = FULL; create table visit (id integer primary key, name text not null, at integer not null)',
);
const insert = database.prepare('insert into visit (name, at) values (?, ?)');

const app = express();
app.get('/:name', (req, res) => {
  insert.run(req.params.name, Date.now());
  res.redirect(303, '/');
});

const server = app.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.send?.({ baseUrl: `http://localhost:${port}` });
});
process.on('SIGTERM', () => process.exit(0));
