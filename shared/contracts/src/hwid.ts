import { HWID_PATTERN, trimId } from './key-system.ts';

// Pages do without it: the server refuses such an id, and they tell that.

/**
 * What languages, systems and firmware give in place of an id, without the marks between its letters. Many devices send
 * it, and would share a run and its cooldown. Hashes stand for the hash of nothing.
 */
const PLACEHOLDER_IDS = new RegExp(
  `^(${[
    '(.{0,2})\\2*|(no|null|nil|nan|none|un(defined|known)|invalid|unavailable|default|false|true|android|device|id|hwid|serial|your|here)+',
    'objectobject|not(spec|appl|avail|supp|found).*|defaultstring|tobefilled.*|oemserial|system(product|manufact).*',
    '(system|chassis|baseboard)?serialnumb(er)?|(sn|mb|sys)?0?12345(6(7(8(9(abcdef.*|0\\d*(abcdef)?)?)?)?)?)?|987654321\\d*',
    '0x0+|127001|001122334455|(020000|525400)(000000|123456)|dead00beef|emulator[\\dx]*',
    '(9774d56d682e|000102030405|030002000400|000200030004|6ab5b300538d).*',
    '(d41d8cd98f00|da39a3ee5e6b|e3b0c44298fc|cf83e1357eef).*',
  ].join('|')})$`,
  'i',
);

/** A device id without the white space around it; undefined for another form, or what many devices send. */
export function readHwid(text: string): string | undefined {
  const hwid = trimId(text);
  return HWID_PATTERN.test(hwid) && !PLACEHOLDER_IDS.test(hwid.replace(/\W|_/g, '')) ? hwid : undefined;
}
