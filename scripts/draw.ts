import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { chromium, type PageScreenshotOptions } from 'playwright-core';
import { chromiumPath, ensureChromium } from './chromium.mjs';

/**
 * Draws the icons and the pictures of shared links into api/pictures. Run it when the brand changes, and commit the
 * files.
 */
const FOLDER = 'api/pictures';

/** The picture for shared links of a part of the site. */
interface Area {
  /** The name of the file. */
  id: string;
  title: string;
  line: string;
  colour: string;
  glow: string;
  /** Three lines of an invented script. */
  code: string[];
}

const AREAS: Area[] = [
  {
    id: 'v5',
    title: 'Arceus X V5',
    line: 'The first executor with an AI assistant inside',
    colour: '#ff6b7d',
    glow: '#5b9dff',
    code: ['assistant.ask("jump")', 'wait(player.spawned)', 'run(script)'],
  },
  {
    id: 'neo',
    title: 'Arceus X NEO',
    line: 'Lightweight. Free. Android and iOS',
    colour: '#52dd8f',
    glow: '#3fd0e6',
    code: ['editor.open("neo.lua")', 'script.check()', 'run(script)'],
  },
  {
    id: 'v3',
    title: 'Arceus X V3',
    line: 'The edition that came before',
    colour: '#a9b1c6',
    glow: '#5b9dff',
    code: ['float.icon.show()', 'keyboard.custom = true', 'run(script)'],
  },
  {
    id: 'plans',
    title: 'Upgrade your plan',
    line: '0,99 €  ·  2,99 €  ·  14,99 €',
    colour: '#ffc46b',
    glow: '#ff6b7d',
    code: ['basic    7 days', 'plus     30 days', 'premium  365 days'],
  },
  {
    id: 'companion',
    title: 'RosaverX',
    line: 'Up to 40% back on marketplace purchases',
    colour: '#ff9d9d',
    glow: '#ff6bb0',
    code: ['cart.total      100', 'back             40', 'data     on device'],
  },
  {
    id: 'key-system',
    title: 'Key system',
    line: 'Six steps. One key. 24 hours',
    colour: '#3fd0e6',
    glow: '#5b9dff',
    code: ['step 1 … done', 'step 2 … done', 'key    24:00:00'],
  },
  {
    id: 'tools',
    title: 'Arceus Team',
    line: 'Tools and notes from the people behind the apps',
    colour: '#c59bff',
    glow: '#5b9dff',
    code: ['encrypt(text)', 'copy(result)', 'done'],
  },
];

const MARK =
  '<path d="M256 84 424 428h-92L256 262 180 428H88z" fill="#ff6b7d"/><path d="M256 318l34 72h-68z" fill="#5b9dff"/>';

await ensureChromium();
mkdirSync(`${FOLDER}/share`, { recursive: true });
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512"><rect width="512" height="512" rx="120" fill="#12151e"/>${MARK}</svg>`;
writeFileSync(`${FOLDER}/icon.svg`, `${icon}\n`);

const browser = await chromium.launch({
  executablePath: chromiumPath(),
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
});
for (const area of AREAS) {
  await draw({
    html: shared(area),
    width: 1200,
    height: 630,
    path: `${FOLDER}/share/${area.id}.jpg`,
    type: 'jpeg',
    quality: 78,
  });
}
for (const { name, size } of [
  { name: 'icon-192', size: 192 },
  { name: 'icon-512', size: 512 },
  { name: 'apple-touch-icon', size: 180 },
  { name: 'favicon', size: 32 },
]) {
  await draw({
    html: square(size),
    width: size,
    height: size,
    path: `${FOLDER}/${name}.png`,
    type: 'png',
    omitBackground: true,
  });
}
await browser.close();
writeFileSync(`${FOLDER}/favicon.ico`, icoOf(readFileSync(`${FOLDER}/favicon.png`)));
rmSync(`${FOLDER}/favicon.png`);

async function draw({
  html,
  width,
  height,
  ...options
}: { html: string; width: number; height: number } & PageScreenshotOptions): Promise<void> {
  const page = await browser.newPage({ viewport: { width, height } });
  await page.setContent(html);
  await page.screenshot(options);
  await page.close();
}

function square(size: number): string {
  return `<style>body{margin:0}svg{display:block;width:${size}px;height:${size}px}</style>${icon}`;
}

function shared({ title, line, colour, glow, code }: Area): string {
  const lines = code.map((text, index) => `<p><i>${index + 1}</i>${text}</p>`).join('');
  return `<style>
    body { margin: 0; width: 1200px; height: 630px; display: flex; align-items: center; gap: 64px; padding: 0 80px; box-sizing: border-box; overflow: hidden;
      background: radial-gradient(700px 500px at 85% 20%, ${glow}40, transparent), radial-gradient(600px 500px at 10% 100%, ${colour}33, transparent), #0a0c12;
      color: #f2f4fa; font-family: system-ui, 'DejaVu Sans', sans-serif; }
    header { flex: 1; }
    svg { width: 96px; height: 96px; }
    h1 { margin: 28px 0 16px; font-size: 76px; line-height: 1.05; letter-spacing: -2px; }
    header p { margin: 0; color: #a9b1c6; font-size: 30px; line-height: 1.4; }
    main { flex: none; width: 430px; padding: 28px; border: 1px solid #ffffff26; border-radius: 28px; background: #12151ee6; box-shadow: 0 24px 80px #000a; font: 24px/1.9 ui-monospace, 'DejaVu Sans Mono', monospace; }
    main p { margin: 0; white-space: pre; overflow: hidden; }
    i { display: inline-block; width: 40px; color: #5c6580; font-style: normal; }
    b { display: block; margin-top: 20px; padding: 12px; border-radius: 14px; background: ${colour}; color: #0a0c12; text-align: center; font: 700 26px system-ui, 'DejaVu Sans', sans-serif; }
  </style><header>${icon}<h1>${title}</h1><p>${line}</p></header><main>${lines}<b>Run</b></main>`;
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
