import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Configuration } from '@rspack/core';
import type { Resolution } from '../../shared/contracts/src/resolution.ts';
import { readResolution } from './edited-page.ts';
import type { EditedUnit } from './edited-unit.ts';
import { serveEdited } from './serve-edited.ts';
import { openSite } from './site.ts';
import { watchUnit } from './watch-unit.ts';

const LOOPBACK = '127.0.0.1';

interface Options {
  unit: string;
  version: string;
  against: string;
  /** 0 for a free one. */
  port: number;
  /** Reads the unit's Rspack configurations, the one for browsers last. */
  readConfig: () => Promise<Configuration[]>;
  say: (line: string) => void;
}

/**
 * Serves the pages of a site with one unit from the working copy, until it is stopped.
 * @returns the address, and how to stop
 * @throws Error that says why the site cannot be worked with
 */
export async function devAgainst({ unit, version, against, port, readConfig, say }: Options) {
  const resolution = await readSite(against);
  const edited: EditedUnit = { unit, version, folder: mkdtempSync(join(tmpdir(), `edited-${unit}-`)) };
  const site = openSite(against, () => `http://localhost:${(server.address() as AddressInfo).port}`);
  const config = (await readConfig()).at(-1) ?? {};
  const { context = '' } = config;
  const { server, tell } = serveEdited({ site, edited, resolution, context, say });

  let isFirst = true;
  const stopWatching = await new Promise<() => Promise<void>>((resolve) => {
    const stop = watchUnit({
      config,
      edited,
      resolution,
      onBuilt(ms) {
        say(edited.problem ?? `Built ${unit} in ${ms} ms`);
        if (isFirst) resolve(stop);
        else tell();
        isFirst = false;
      },
    });
  });
  await once(server.listen(port, LOOPBACK), 'listening');

  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    async stop() {
      await stopWatching();
      server.close().closeAllConnections();
      site.close();
      rmSync(edited.folder, { recursive: true });
    },
  };
}

async function readSite(origin: string): Promise<Resolution> {
  const html = await fetch(origin, { headers: { accept: 'text/html' }, signal: AbortSignal.timeout(20_000) }).then(
    (response) => response.text(),
    (error: Error) => {
      const { cause = error } = error;
      throw new Error(`${origin} does not answer: ${cause instanceof Error ? cause.message : String(cause)}`);
    },
  );
  const resolution = readResolution(html);
  if (!resolution) throw new Error(`${origin} is not a site of these units: its home page names no versions of them.`);
  return resolution;
}
