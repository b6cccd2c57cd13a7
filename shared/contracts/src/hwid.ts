import { HWID_PATTERN } from './key-system.ts';

// Pages do without it: the server refuses such an id, and they tell that.

/**
 * What languages, systems and firmware give in place of an id, without the marks between its letters. Many devices send
 * it, and would share a run and its cooldown. Hashes stand for the hash of nothing.
 */
const SHARED_IDS = new RegExp(
  `^(${[
    '(.{0,2})\\2*|(undefined|null|nan|none|nil|false|true)+|objectobject|unknown?(device|hwid|id)?|unavailable|invalid',
    'not(spec|appl|avail|supp|found).*|default(string)?|tobefilled.*|oemserial|system(product|manufact).*',
    '(system|chassis|baseboard)?serialnumb(er)?|(sn|mb|sys)?0?12345(6(7(8(9(abcdef.*|0\\d*)?)?)?)?)?',
    '020000000000|dead00beef|emulator[\\dx]*|(9774d56d682e|000102030405|030002000400|000200030004|6ab5b300538d).*',
    '(d41d8cd98f00|da39a3ee5e6b|e3b0c44298fc).*',
  ].join('|')})$`,
  'i',
);

/**
 * Reads a device id, without the white space around it, which a program adds that reads it from a file or a command.
 * @returns undefined when it has another form, or is what many devices send
 */
export function readHwid(text: string): string | undefined {
  const hwid = text.trim();
  return HWID_PATTERN.test(hwid) && !SHARED_IDS.test(hwid.replace(/\W|_/g, '')) ? hwid : undefined;
}
