import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { startSite } from '../tools/bench/measure/servers.ts';
import { buildOutdated } from '../tools/units/build-outdated.ts';
import { ensureChromium, launchOptions } from '../tools/machine/chromium.ts';
import { drawKeyRun } from '../tools/draw/key-run-picture.ts';
import { drawSharePictures } from '../tools/draw/share-pictures.ts';

/**
 * npm run draw
 * Draws the icons and the pictures of shared links into api/pictures, and the picture of the README into docs. Run it
 * when the brand, a drawn phone or the page of a run changes, and commit the files.
 */
const FOLDER = 'api/pictures';

const ICONS = [
  { name: 'icon-192', size: 192 },
  { name: 'icon-512', size: 512 },
  { name: 'apple-touch-icon', size: 180 },
  { name: 'favicon', size: 32 },
];

const MARK =
  '<path d="M256 84 424 428h-92L256 262 180 428H88z" fill="#ff6b7d"/><path d="M256 318l34 72h-68z" fill="#5b9dff"/>';

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512"><rect width="512" height="512" rx="120" fill="#12151e"/>${MARK}</svg>`;

await ensureChromium();
await buildOutdated();
mkdirSync(`${FOLDER}/share`, { recursive: true });
const site = await startSite();
const browser = await chromium.launch(launchOptions());

await drawSharePictures(browser, site.url, `${FOLDER}/share`);
await drawIcons();
await drawKeyRun(browser, site, 'docs/key-run.png');
await browser.close();
await site.stop();

async function drawIcons(): Promise<void> {
  writeFileSync(`${FOLDER}/icon.svg`, `${icon}\n`);
  const page = await browser.newPage();
  for (const { name, size } of ICONS) {
    await page.setViewportSize({ width: size, height: size });
    await page.setContent(`<style>body{margin:0}svg{display:block;width:${size}px;height:${size}px}</style>${icon}`);
    await page.screenshot({ path: `${FOLDER}/${name}.png`, omitBackground: true });
  }
  writeFileSync(`${FOLDER}/favicon.ico`, icoOf(readFileSync(`${FOLDER}/favicon.png`)));
  rmSync(`${FOLDER}/favicon.png`);
}

/** Makes an .ico file that contains one PNG of 32 × 32 pixels. */
function icoOf(png: Buffer): Buffer {
  const header = Buffer.alloc(22);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(1, 4);
  header.writeUInt8(32, 6);
  header.writeUInt8(32, 7);
  header.writeUInt16LE(1, 10);
  header.writeUInt16LE(32, 12);
  header.writeUInt32LE(png.length, 14);
  header.writeUInt32LE(header.length, 18);
  return Buffer.concat([header, png]);
}
