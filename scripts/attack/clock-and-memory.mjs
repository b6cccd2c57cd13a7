import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Loaded into a server that is soaked, before its own code (`node --import`), and never part of what is built:
 * it moves the server's clock and weighs its memory when its parent says so.
 */
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');
const trueNow = Date.now.bind(Date);
let aheadMs = 0;
Date.now = () => trueNow() + aheadMs;

process.on('message', (/** @type {{ aheadMs?: number, weigh?: boolean }} */ message) => {
  if (message.aheadMs !== undefined) aheadMs = message.aheadMs;
  if (message.weigh) {
    collectGarbage();
    process.send?.({ bytes: process.memoryUsage().rss });
  }
});
