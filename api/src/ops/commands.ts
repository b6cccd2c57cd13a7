import { ADVERTISER_COMMANDS } from './advertiser-commands.ts';
import { AUDIT_COMMANDS } from './audit-commands.ts';
import { BACKUP_COMMANDS } from './backup-commands.ts';
import type { Command } from './command.ts';
import { DEVICE_COMMANDS } from './device-commands.ts';
import { KEY_COMMANDS } from './key-commands.ts';

export const COMMANDS: readonly Command[] = [
  ...DEVICE_COMMANDS,
  ...KEY_COMMANDS,
  ...ADVERTISER_COMMANDS,
  ...AUDIT_COMMANDS,
  ...BACKUP_COMMANDS,
];
